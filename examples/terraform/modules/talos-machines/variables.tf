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
    seed   = string # path of the same as a medium
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

variable "seed_datastore" {
  description = "Where the config media go; it must allow the content type `iso`."
  type        = string
  default     = "local"
}

variable "has_seeds" {
  description = "Whether the config media are there; set it to false once the machines have booted."
  type        = bool
  default     = true
}

variable "bridge" {
  type    = string
  default = "vmbr0"
}

variable "cpu_type" {
  type    = string
  default = "x86-64-v2-AES"
}
