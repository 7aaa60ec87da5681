#!/usr/bin/env bash
# Talos's own library and client, sops, age, OpenSSL, helm, etcd and a real kube-apiserver judge us. Needs Go.
cd "$(dirname "$0")/../.." && exec bash scripts/run-judges.sh tests/conformance
