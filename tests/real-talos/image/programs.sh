#!/usr/bin/env bash
# Talos's init and machined with the tags and flags of its Makefile, containerd, which has other needs than Talos and so a go.mod of
# its own, and etcd for the image that the test serves. The first time takes about ten minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$1

talos=github.com/siderolabs/talos
version=$(go list -m -f '{{.Version}}' "$talos")
flags="-s -w -X $talos/pkg/machinery/version.Tag=$version -X golang.zx2c4.com/wireguard/ipc.socketDirectory=/system/wireguard-sock"
build() { CGO_ENABLED=0 nice go build -tags tcell_minimal,grpcnotrace -ldflags "$flags" -o "$@"; }

mkdir -p "$work/programs" "$work/etcd/usr/local/bin"
build "$work/programs/" "$talos/internal/app/init" "$talos/internal/app/machined"
build "$work/etcd/usr/local/bin/etcd" go.etcd.io/etcd/server/v3
cd containerd
build "$work/programs/" github.com/containerd/containerd/v2/cmd/containerd github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2
