terraform {
  required_version = ">= 1.6"

  required_providers {
    proxmox = {
      source  = "bpg/proxmox"
      version = ">= 0.80.0"
    }
  }
}

# Talos reads its machine config from a medium with the label cidata (platform nocloud). It is uploaded through the API:
# snippets would need SSH to the hosts. It holds the keys of the cluster, and is not needed after the first boot.
resource "proxmox_virtual_environment_file" "seed" {
  for_each = var.has_seeds ? var.talos_machines : {}

  node_name    = each.value.host
  datastore_id = var.seed_datastore
  content_type = "iso"

  source_file {
    path      = "${path.root}/${each.value.seed}"
    file_name = "${each.key}-seed.iso"
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

  cdrom {
    interface = "ide2"
    file_id   = var.has_seeds ? proxmox_virtual_environment_file.seed[each.key].id : "none"
  }

  # Proxmox appends a CD drive that is not named here whenever its medium changes.
  boot_order = ["scsi0", "ide2"]

  # The machine config selects its link by this address.
  network_device {
    bridge      = var.bridge
    mac_address = each.value.mac
  }

  operating_system {
    type = "l26"
  }

  serial_device {}
}
