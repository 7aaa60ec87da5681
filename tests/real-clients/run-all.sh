#!/usr/bin/env bash
# Real clients (proxmoxer, Ansible, kubectl, pre-commit, OpenSSH, OpenTofu with bpg/proxmox) against the simulator, our S3 client against radosgw.
# Needs Go, Python with venv, OpenSSH, and Ceph's radosgw, ceph-mon and ceph-osd.
cd "$(dirname "$0")/../.." && exec bash scripts/run-judges.sh tests/real-clients
