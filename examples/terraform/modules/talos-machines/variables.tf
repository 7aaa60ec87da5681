variable "talos_machines" {
  description = "What `ichor render` wrote: a machine for each node, by its name."
  type = map(object({
    vmid   = number
    host   = string
    role   = string
    pool   = string
    cpu    = number
    ram    = number # MiB
    disk   = number # GiB
    ip     = string # null when only DHCP knows it
    mac    = string
    config = string # path of the machine config, from the root module
  }))
}

variable "image" {
  description = "The Talos nocloud disk image on each host, as Proxmox names it: local:import/talos-nocloud-amd64.qcow2."
  type        = string
}

variable "datastore" {
  description = "Where disks go."
  type        = string
  default     = "local-lvm"
}

variable "snippet_datastore" {
  description = "Where machine configs go; it must allow the content type `snippets`."
  type        = string
  default     = "local"
}

variable "bridge" {
  type    = string
  default = "vmbr0"
}

variable "cpu_type" {
  type    = string
  default = "x86-64-v2-AES"
}
