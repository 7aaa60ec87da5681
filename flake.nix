{
  description = "Talos Linux Kubernetes clusters on Proxmox VE, from one inventory";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forEach = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      inherit (nixpkgs.lib.importJSON ./package.json) version;
    in
    {
      packages = forEach (pkgs: {
        default = pkgs.buildNpmPackage {
          pname = "ichor";
          inherit version;
          src = self;
          nodejs = pkgs.nodejs_22;
          npmDeps = pkgs.importNpmLock { npmRoot = self; };
          npmConfigHook = pkgs.importNpmLock.npmConfigHook;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            installManPage man/ichor.1
            for shell in bash zsh fish; do
              $out/bin/ichor completion $shell > ichor.$shell
              installShellCompletion --$shell ichor.$shell
            done
          '';
          meta = {
            description = "Talos Linux Kubernetes clusters on Proxmox VE, from one inventory";
            license = pkgs.lib.licenses.asl20;
            mainProgram = "ichor";
          };
        };
      });
      devShells = forEach (pkgs: {
        default = pkgs.mkShell { packages = [ pkgs.nodejs_22 pkgs.go pkgs.age pkgs.sops pkgs.kubectl ]; };
      });
    };
}
