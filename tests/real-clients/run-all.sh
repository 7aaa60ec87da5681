#!/usr/bin/env bash
# Real clients (proxmoxer, Ansible, kubectl, OpenSSH) against the simulator. Needs Go, Python with venv, and OpenSSH.
cd "$(dirname "$0")/../.." && exec bash scripts/run-judges.sh tests/real-clients
