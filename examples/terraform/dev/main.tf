# Reads talos-machines.auto.tfvars.json, which `ichor render` writes beside this file.
terraform {
  required_providers {
    proxmox = {
      source  = "bpg/proxmox"
      version = ">= 0.80.0"
    }
  }
}

# Endpoint and token come from PROXMOX_VE_ENDPOINT and PROXMOX_VE_API_TOKEN.
provider "proxmox" {}

variable "cluster_name" {
  type = string
}

variable "cluster_endpoint" {
  type = string
}

variable "talos_machines" {
  type = any
}

variable "image" {
  type    = string
  default = "local:import/talos-nocloud-amd64.qcow2"
}

variable "has_seeds" {
  type    = bool
  default = true
}

module "machines" {
  source = "../modules/talos-machines"

  talos_machines = var.talos_machines
  image          = var.image
  has_seeds      = var.has_seeds
}

output "cluster" {
  value = {
    name     = var.cluster_name
    endpoint = var.cluster_endpoint
    machines = module.machines.machines
  }
}
