# The usual recipe for Talos with this provider: the image by download, VMs from it, addresses by cloud-init.
terraform {
  required_providers {
    proxmox = {
      source = "bpg/proxmox"
    }
  }
}

provider "proxmox" {}

variable "image_url" {
  type = string
}

variable "machines" {
  type = map(object({
    host    = string
    vmid    = number
    address = string
  }))
}

variable "gateway" {
  type = string
}

resource "proxmox_virtual_environment_download_file" "talos" {
  for_each = toset([for machine in var.machines : machine.host])

  node_name    = each.value
  datastore_id = "local"
  content_type = "import"
  url          = var.image_url
  file_name    = "talos-nocloud.qcow2"
}

resource "proxmox_virtual_environment_vm" "machine" {
  for_each = var.machines

  name            = each.key
  node_name       = each.value.host
  vm_id           = each.value.vmid
  tags            = ["recipe", "talos"]
  machine         = "q35"
  bios            = "ovmf"
  scsi_hardware   = "virtio-scsi-single"
  on_boot         = true
  started         = true
  stop_on_destroy = true

  cpu {
    cores = 2
    type  = "x86-64-v2-AES"
  }

  memory {
    dedicated = 4096
  }

  efi_disk {
    datastore_id = "local-lvm"
    type         = "4m"
  }

  disk {
    datastore_id = "local-lvm"
    import_from  = proxmox_virtual_environment_download_file.talos[each.value.host].id
    interface    = "scsi0"
    size         = 20
    discard      = "on"
    ssd          = true
  }

  network_device {
    bridge = "vmbr0"
  }

  initialization {
    datastore_id = "local-lvm"

    ip_config {
      ipv4 {
        address = each.value.address
        gateway = var.gateway
      }
    }
  }

  operating_system {
    type = "l26"
  }
}

output "vmids" {
  value = { for name, vm in proxmox_virtual_environment_vm.machine : name => vm.vm_id }
}
