#!/bin/sh
# Builds OpenTofu and the providers bpg/proxmox and siderolabs/talos from their Go modules into a folder, laid out so that `tofu init` finds the
# providers there and asks no registry. The first build takes some minutes on two cores; with Go's cache it takes seconds.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=$1
version=$(sed -n 's/.*bpg\/terraform-provider-proxmox v\([0-9.]*\)$/\1/p' "$here/provider/go.mod" | head -n 1)
platform="$(go env GOOS)_$(go env GOARCH)"
plugins="$out/plugins/registry.opentofu.org/bpg/proxmox/$version/$platform"
mkdir -p "$plugins"

(cd "$here/provider" && nice go build -trimpath -ldflags "-s -w" -o "$plugins/terraform-provider-proxmox_v$version" github.com/bpg/terraform-provider-proxmox)
talos=$(sed -n 's/.*siderolabs\/terraform-provider-talos v\([0-9.]*\)$/\1/p' "$here/provider-talos/go.mod" | head -n 1)
plugins="$out/plugins/registry.opentofu.org/siderolabs/talos/$talos/$platform"
mkdir -p "$plugins"
(cd "$here/provider-talos" && nice go build -trimpath -ldflags "-s -w" -o "$plugins/terraform-provider-talos_v$talos" github.com/siderolabs/terraform-provider-talos)

(cd "$here/opentofu" && nice go build -trimpath -ldflags "-s -w" -o "$out/tofu" github.com/opentofu/opentofu/cmd/tofu)
cat > "$out/tofu.rc" <<RC
provider_installation {
  filesystem_mirror {
    path = "$out/plugins"
  }
}
RC
