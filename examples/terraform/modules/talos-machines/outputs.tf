output "machines" {
  description = "VMID, host and address of each machine."
  value = {
    for name, machine in var.talos_machines : name => {
      vmid = proxmox_virtual_environment_vm.machine[name].vm_id
      host = machine.host
      ip   = machine.ip
    }
  }
}
