terraform {
  required_version = ">= 1.6"

  required_providers {
    proxmox = {
      source  = "bpg/proxmox"
      version = ">= 0.80.0"
    }
  }
}

# Talos reads its machine config as the user-data of a cloud-init drive (platform nocloud).
resource "proxmox_virtual_environment_file" "config" {
  for_each = var.talos_machines

  node_name    = each.value.host
  datastore_id = var.snippet_datastore
  content_type = "snippets"

  source_raw {
    file_name = "${each.key}-talos.yaml"
    data      = file("${path.root}/${each.value.config}")
  }
}

resource "proxmox_virtual_environment_vm" "machine" {
  for_each = var.talos_machines

  name            = each.key
  node_name       = each.value.host
  vm_id           = each.value.vmid
  tags            = ["talos", each.value.role]
  bios            = "ovmf"
  machine         = "q35"
  scsi_hardware   = "virtio-scsi-pci"
  on_boot         = true
  stop_on_destroy = true

  cpu {
    cores = each.value.cpu
    type  = var.cpu_type
  }

  memory {
    dedicated = each.value.ram
  }

  efi_disk {
    datastore_id = var.datastore
    type         = "4m"
  }

  disk {
    datastore_id = var.datastore
    import_from  = var.image
    interface    = "scsi0"
    size         = each.value.disk
    discard      = "on"
    ssd          = true
  }

  # The machine config selects its link by this address.
  network_device {
    bridge      = var.bridge
    mac_address = each.value.mac
  }

  initialization {
    datastore_id      = var.datastore
    user_data_file_id = proxmox_virtual_environment_file.config[each.key].id
  }

  operating_system {
    type = "l26"
  }

  serial_device {}
}
