# Homebrew formula. The release workflow fills in what stands between @.
class Ichor < Formula
  desc "Talos Linux Kubernetes clusters on Proxmox VE, from one inventory"
  homepage "@HOMEPAGE@"
  url "@URL@"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink Dir["#{libexec}/bin/*"]
    man1.install_symlink libexec/"lib/node_modules/@ichor-talos/ichor/man/ichor.1"
    generate_completions_from_executable(bin/"ichor", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/ichor version")
    system bin/"ichor", "init", "--template"
    assert_match "valid", shell_output("#{bin}/ichor validate")
  end
end
