/** Made by tests/contract/make-catalogue.mjs. One rule for a value a line; the endpoints name them by their number. */
export const definitionLines = String.raw`
{"optional":1,"maxLength":4096}
{"type":"boolean","optional":1}
{"pattern":"[1-9][0-9]{2,8}-\\d{1,9}","format":"pve-replication-job-id"}
{"type":"number","optional":1,"minimum":1}
{"optional":1,"enum":["local","full"]}
{"optional":1,"maxLength":128,"format":"pve-calendar-event"}
{"optional":1,"format":"pve-node"}
{"optional":0,"format":"pve-node"}
{"enum":["local"]}
{"optional":1,"maxLength":4096,"format":"pve-configid-list"}
{"optional":1,"maxLength":64}
{"maxLength":15,"format":"pve-node"}
{"optional":1,"format":{"address":{"default_key":1,"format":"address"},"priority":{"type":"integer","optional":1,"minimum":0,"maximum":255}}}
{"type":"integer","optional":1,"minimum":1}
{"format":"pve-node"}
{"type":"integer","optional":1}
{"optional":1,"format":"ip"}
{"type":"integer","optional":1,"minimum":0}
{"pattern":"([A-Fa-f0-9]{2}:){31}[A-Fa-f0-9]{2}"}
{}
{"maxLength":128}
{"optional":1}
{"minLength":2,"maxLength":18,"pattern":"[A-Za-z][A-Za-z0-9\\-\\_]+"}
{"optional":1,"minLength":2,"maxLength":18,"pattern":"[A-Za-z][A-Za-z0-9\\-\\_]+"}
{"optional":0,"minLength":2,"maxLength":20,"pattern":"[A-Za-z][A-Za-z0-9\\-\\_]+"}
{"optional":1,"maxLength":512,"format":"pve-fw-addr-spec"}
{"optional":1,"format":"pve-fw-dport-spec"}
{"optional":1,"format":"pve-fw-icmp-type-spec"}
{"optional":1,"minLength":2,"maxLength":20,"format":"pve-iface"}
{"optional":1,"enum":["emerg","alert","crit","err","warning","notice","info","debug","nolog"]}
{"optional":1,"maxLength":128}
{"optional":1,"format":"pve-fw-protocol-spec"}
{"optional":1,"format":"pve-fw-sport-spec"}
{"optional":0,"enum":["in","out","forward","group"]}
{"optional":1,"minLength":2,"maxLength":20,"pattern":"[A-Za-z][A-Za-z0-9\\-\\_]+"}
{"optional":1,"format":"pve-configid-list"}
{"optional":1,"enum":["in","out","forward","group"]}
{"minLength":2,"maxLength":64,"pattern":"[A-Za-z][A-Za-z0-9\\-\\_]+"}
{"optional":1,"minLength":2,"maxLength":64,"pattern":"[A-Za-z][A-Za-z0-9\\-\\_]+"}
{"format":"IPorCIDRorAlias"}
{"format":"IPorCIDR"}
{"optional":1,"format":{"burst":{"type":"integer","optional":1,"minimum":0},"enable":{"type":"boolean","default_key":1},"rate":{"optional":1,"pattern":"[1-9][0-9]*\\/(second|minute|hour|day)"}}}
{"optional":1,"enum":["ACCEPT","DROP"]}
{"optional":1,"enum":["ACCEPT","REJECT","DROP"]}
{"optional":1,"enum":["alias","ipset"]}
{"optional":1,"maxLength":512}
{"optional":1,"enum":["0","1","gzip","lzo","zstd"]}
{"optional":1,"requires":"starttime","format":"pve-day-of-week-list"}
{"optional":1,"format":"pve-vmid-list"}
{"type":"array","optional":1,"items":{}}
{"optional":1,"format":"backup-fleecing"}
{"optional":1,"format":"pve-configid"}
{"type":"integer","optional":1,"minimum":0,"maximum":8}
{"optional":1,"enum":["always","failure"]}
{"optional":1,"format":"email-or-username-list"}
{"optional":1,"enum":["snapshot","suspend","stop"]}
{"optional":1,"maxLength":1024,"requires":"storage"}
{"optional":1,"enum":["auto","legacy-sendmail","notification-system"]}
{"optional":1,"enum":["always","failure","never"]}
{"optional":1,"enum":["legacy","data","metadata"]}
{"optional":1,"format":"backup-performance"}
{"type":"boolean","optional":1,"requires":"storage"}
{"optional":1,"format":"prune-backups"}
{"optional":1,"pattern":"\\d{1,2}:\\d{1,2}"}
{"optional":1,"format":"pve-storage-id"}
{"maxLength":50,"pattern":"\\S+"}
{"optional":1,"enum":["ct","vm"]}
{"format":"pve-ha-resource-or-vm-id"}
{"optional":1,"enum":["started","stopped","enabled","disabled","ignored"]}
{"format":"pve-configid"}
{"optional":0,"format":"pve-ha-group-node-list"}
{"optional":1,"enum":["group"]}
{"optional":1,"format":"pve-ha-group-node-list"}
{"type":"array","optional":0,"items":{"format":{"node":{"format":"pve-node"},"path":{"format":"pve-storage-path-in-property-string"}}}}
{"type":"array","optional":1,"items":{"format":{"node":{"format":"pve-node"},"path":{"format":"pve-storage-path-in-property-string"}}}}
{"type":"array","optional":0,"items":{"format":{"description":{"optional":1,"maxLength":4096},"id":{"pattern":"(?^:^[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}$)"},"iommugroup":{"type":"integer","optional":1},"node":{"format":"pve-node"},"path":{"pattern":"(?:[a-f0-9]{4,}:[a-f0-9]{2}:[a-f0-9]{2}(?:.[a-f0-9])?;)*[a-f0-9]{4,}:[a-f0-9]{2}:[a-f0-9]{2}(?:.[a-f0-9])?"},"subsystem-id":{"optional":1,"pattern":"(?^:^[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}$)"}}}}
{"type":"array","optional":1,"items":{"format":{"description":{"optional":1,"maxLength":4096},"id":{"pattern":"(?^:^[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}$)"},"iommugroup":{"type":"integer","optional":1},"node":{"format":"pve-node"},"path":{"pattern":"(?:[a-f0-9]{4,}:[a-f0-9]{2}:[a-f0-9]{2}(?:.[a-f0-9])?;)*[a-f0-9]{4,}:[a-f0-9]{2}:[a-f0-9]{2}(?:.[a-f0-9])?"},"subsystem-id":{"optional":1,"pattern":"(?^:^[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}$)"}}}}
{"optional":1,"maxLength":256,"pattern":"(?^i:[\\(\\)-_.\\w\\d\\s]{0,256})"}
{"optional":1,"enum":["vnet"]}
{"format":"pve-sdn-vnet-id"}
{"optional":0}
{"type":"array","optional":1,"items":{"format":"pve-sdn-dhcp-range"}}
{"optional":1,"format":"dns-name"}
{"format":"pve-sdn-subnet-id"}
{"enum":["subnet"]}
{"format":"ip"}
{"optional":1,"format":"mac-addr"}
{"format":"pve-sdn-zone-id"}
{"type":"integer","optional":1,"minimum":100,"maximum":999999999,"format":"pve-vmid"}
{"optional":1,"enum":["evpn","faucet","qinq","simple","vlan","vxlan"]}
{"optional":1,"enum":["dnsmasq"]}
{"optional":1,"format":"pve-node-list"}
{"optional":1,"format":"ip-list"}
{"optional":1,"format":"pve-sdn-bgp-rt-list"}
{"enum":["evpn","faucet","qinq","simple","vlan","vxlan"],"format":"pve-configid"}
{"optional":1,"enum":["802.1q","802.1ad"]}
{"type":"integer","optional":1,"minimum":1,"maximum":65536}
{"optional":1,"enum":["vm","storage","node","sdn"]}
{"optional":1,"format":{"clone":{"type":"number","optional":1,"minimum":"0"},"default":{"type":"number","optional":1,"minimum":"0"},"migration":{"type":"number","optional":1,"minimum":"0"},"move":{"type":"number","optional":1,"minimum":"0"},"restore":{"type":"number","optional":1,"minimum":"0"}}}
{"optional":1,"maxLength":65536}
{"optional":1,"enum":["applet","vv","html5","xtermjs"]}
{"optional":1,"format":{"ha":{"optional":1,"enum":["basic","static"]},"ha-rebalance-on-start":{"type":"boolean","optional":1}}}
{"optional":1,"format":"email-opt"}
{"optional":1,"enum":["watchdog","hardware","both"]}
{"optional":1,"format":{"shutdown_policy":{"enum":["freeze","failover","conditional","migrate"]}}}
{"optional":1,"pattern":"http://.*"}
{"optional":1,"enum":["de","de-ch","da","en-gb","en-us","es","fi","fr","fr-be","fr-ca","fr-ch","hu","is","it","ja","lt","mk","nl","no","pl","pt","pt-br","sv","sl","tr"]}
{"optional":1,"enum":["ar","ca","da","de","en","es","eu","fa","fr","hr","he","it","ja","ka","kr","nb","nl","nn","pl","pt_BR","ru","sl","sv","tr","ukr","zh_CN","zh_TW"]}
{"optional":1,"format":"mac-prefix"}
{"optional":1,"format":{"network":{"optional":1,"format":"CIDR"},"type":{"enum":["secure","insecure"],"default_key":1}}}
{"optional":1,"format":{"lower":{"type":"integer","optional":1},"upper":{"type":"integer","optional":1}}}
{"optional":1,"format":{"fencing":{"optional":1,"enum":["always","never"]},"package-updates":{"optional":1,"enum":["auto","always","never"]},"replication":{"optional":1,"enum":["always","never"]},"target-fencing":{"optional":1},"target-package-updates":{"optional":1},"target-replication":{"optional":1}}}
{"optional":1,"pattern":"(?:(?^i:[a-z0-9_][a-z0-9_\\-\\+\\.]*);)*(?^i:[a-z0-9_][a-z0-9_\\-\\+\\.]*)"}
{"optional":1,"format":{"case-sensitive":{"type":"boolean","optional":1},"color-map":{"optional":1,"pattern":"(?:(?^i:[a-z0-9_][a-z0-9_\\-\\+\\.]*):[0-9a-fA-F]{6}(?::[0-9a-fA-F]{6})?)(?:;(?:(?^i:[a-z0-9_][a-z0-9_\\-\\+\\.]*):[0-9a-fA-F]{6}(?::[0-9a-fA-F]{6})?))*"},"ordering":{"optional":1,"enum":["config","alphabetical"]},"shape":{"optional":1,"enum":["full","circle","dense","none"]}}}
{"optional":1,"format":{"appid":{"optional":1},"origin":{"optional":1}}}
{"optional":1,"format":{"user-allow":{"optional":1,"enum":["none","list","existing","free"]},"user-allow-list":{"optional":1,"pattern":"(?^i:[a-z0-9_][a-z0-9_\\-\\+\\.]*)(?:;(?^i:[a-z0-9_][a-z0-9_\\-\\+\\.]*))*"}}}
{"optional":1,"format":{"allow-subdomains":{"type":"boolean","optional":1},"id":{"optional":1},"origin":{"optional":1},"rp":{"optional":1}}}
{"optional":1,"format":"pve-cpuset"}
{"optional":1,"format":{"enabled":{"type":"boolean","default_key":1},"freeze-fs-on-backup":{"type":"boolean","optional":1},"fstrim_cloned_disks":{"type":"boolean","optional":1},"type":{"optional":1,"enum":["virtio","isa"]}}}
{"optional":1,"format":"pve-qemu-sev-fmt"}
{"optional":1,"enum":["x86_64","aarch64"]}
{"optional":1,"maxLength":255}
{"optional":1,"format":{"device":{"enum":["ich9-intel-hda","intel-hda","AC97"]},"driver":{"optional":1,"enum":["spice","none"]}}}
{"optional":1,"enum":["seabios","ovmf"]}
{"optional":1,"format":"pve-qm-boot"}
{"optional":1,"pattern":"(ide|sata|scsi|virtio)\\d+","format":"pve-qm-bootdisk"}
{"type":"integer","optional":1,"minimum":"0"}
{"optional":1,"format":"pve-qm-ide"}
{"optional":1,"format":"pve-qm-cicustom"}
{"optional":1,"enum":["configdrive2","nocloud","opennebula"]}
{"optional":1,"format":"pve-vm-cpu-conf"}
{"type":"number","optional":1,"minimum":0,"maximum":128}
{"type":"integer","optional":1,"minimum":1,"maximum":262144}
{"optional":1,"maxLength":8192}
{"optional":1,"format":{"efitype":{"optional":1,"enum":["2m","4m"]},"file":{"default_key":1,"format":"pve-volume-id-or-qm-path"},"format":{"optional":1,"enum":["raw","qcow","qed","qcow2","vmdk","cloop"]},"import-from":{"optional":1,"format":"pve-volume-id-or-absolute-path"},"ms-cert":{"optional":1,"enum":["2011","2023","2023w","2023k"]},"pre-enrolled-keys":{"type":"boolean","optional":1},"size":{"optional":1,"format":"disk-size"},"volume":{"alias":"file"}}}
{"type":"boolean","optional":1,"requires":"archive"}
{"optional":1,"format":"pve-volume-id"}
{"optional":1,"format":"pve-qm-hostpci"}
{"optional":1,"format":"pve-hotplug-features"}
{"optional":1,"enum":["any","2","1024"]}
{"optional":1,"format":{"aio":{"optional":1,"enum":["native","threads","io_uring"]},"backup":{"type":"boolean","optional":1},"bps":{"type":"integer","optional":1},"bps_max_length":{"type":"integer","optional":1,"minimum":1},"bps_rd":{"type":"integer","optional":1},"bps_rd_length":{"alias":"bps_rd_max_length"},"bps_rd_max_length":{"type":"integer","optional":1,"minimum":1},"bps_wr":{"type":"integer","optional":1},"bps_wr_length":{"alias":"bps_wr_max_length"},"bps_wr_max_length":{"type":"integer","optional":1,"minimum":1},"cache":{"optional":1,"enum":["none","writethrough","writeback","unsafe","directsync"]},"cyls":{"type":"integer","optional":1},"detect_zeroes":{"type":"boolean","optional":1},"discard":{"optional":1,"enum":["ignore","on"]},"file":{"default_key":1,"format":"pve-volume-id-or-qm-path"},"format":{"optional":1,"enum":["raw","qcow","qed","qcow2","vmdk","cloop"]},"heads":{"type":"integer","optional":1},"import-from":{"optional":1,"format":"pve-volume-id-or-absolute-path"},"iops":{"type":"integer","optional":1},"iops_max":{"type":"integer","optional":1},"iops_max_length":{"type":"integer","optional":1,"minimum":1},"iops_rd":{"type":"integer","optional":1},"iops_rd_length":{"alias":"iops_rd_max_length"},"iops_rd_max":{"type":"integer","optional":1},"iops_rd_max_length":{"type":"integer","optional":1,"minimum":1},"iops_wr":{"type":"integer","optional":1},"iops_wr_length":{"alias":"iops_wr_max_length"},"iops_wr_max":{"type":"integer","optional":1},"iops_wr_max_length":{"type":"integer","optional":1,"minimum":1},"mbps":{"type":"number","optional":1},"mbps_max":{"type":"number","optional":1},"mbps_rd":{"type":"number","optional":1},"mbps_rd_max":{"type":"number","optional":1},"mbps_wr":{"type":"number","optional":1},"mbps_wr_max":{"type":"number","optional":1},"media":{"optional":1,"enum":["cdrom","disk"]},"model":{"optional":1,"maxLength":120,"format":"urlencoded"},"replicate":{"type":"boolean","optional":1},"rerror":{"optional":1,"enum":["ignore","report","stop"]},"secs":{"type":"integer","optional":1},"serial":{"optional":1,"maxLength":60,"format":"urlencoded"},"shared":{"type":"boolean","optional":1},"size":{"optional":1,"format":"disk-size"},"snapshot":{"type":"boolean","optional":1},"ssd":{"type":"boolean","optional":1},"trans":{"optional":1,"enum":["none","lba","auto"]},"volume":{"alias":"file"},"werror":{"optional":1,"enum":["enospc","ignore","report","stop"]},"wwn":{"optional":1,"pattern":"(?^:^(0x)[0-9a-fA-F]{16})"}}}
{"optional":1,"format":"pve-qm-ipconfig"}
{"optional":1,"format":{"name":{"optional":1,"pattern":"[a-zA-Z0-9\\-]+"},"size":{"type":"integer","minimum":1}}}
{"optional":1,"enum":["backup","clone","create","migrate","rollback","snapshot","snapshot-delete","suspending","suspended"]}
{"optional":1,"format":{"enable-s3":{"type":"boolean","optional":1},"enable-s4":{"type":"boolean","optional":1},"type":{"optional":1,"maxLength":40,"pattern":"(pc|pc(-i440fx)?-\\d+(\\.\\d+)+(\\+pve\\d+)?(\\.pxe)?|q35|pc-q35-\\d+(\\.\\d+)+(\\+pve\\d+)?(\\.pxe)?|virt(?:-\\d+(\\.\\d+)+)?(\\+pve\\d+)?)","default_key":1},"viommu":{"optional":1,"enum":["intel","virtio"]}}}
{"optional":1,"format":{"current":{"type":"integer","minimum":16,"default_key":1}}}
{"type":"number","optional":1,"minimum":0}
{"optional":1,"format":"address-list"}
{"optional":1,"format":{"bridge":{"optional":1,"format":"pve-bridge-id"},"e1000":{"alias":"macaddr","keyAlias":"model"},"e1000-82540em":{"alias":"macaddr","keyAlias":"model"},"e1000-82544gc":{"alias":"macaddr","keyAlias":"model"},"e1000-82545em":{"alias":"macaddr","keyAlias":"model"},"e1000e":{"alias":"macaddr","keyAlias":"model"},"firewall":{"type":"boolean","optional":1},"i82551":{"alias":"macaddr","keyAlias":"model"},"i82557b":{"alias":"macaddr","keyAlias":"model"},"i82559er":{"alias":"macaddr","keyAlias":"model"},"link_down":{"type":"boolean","optional":1},"macaddr":{"optional":1,"format":"mac-addr"},"model":{"enum":["e1000","e1000-82540em","e1000-82544gc","e1000-82545em","e1000e","i82551","i82557b","i82559er","ne2k_isa","ne2k_pci","pcnet","rtl8139","virtio","vmxnet3"],"default_key":1},"mtu":{"type":"integer","optional":1,"minimum":1,"maximum":65520},"ne2k_isa":{"alias":"macaddr","keyAlias":"model"},"ne2k_pci":{"alias":"macaddr","keyAlias":"model"},"pcnet":{"alias":"macaddr","keyAlias":"model"},"queues":{"type":"integer","optional":1,"minimum":0,"maximum":64},"rate":{"type":"number","optional":1,"minimum":0},"rtl8139":{"alias":"macaddr","keyAlias":"model"},"tag":{"type":"integer","optional":1,"minimum":1,"maximum":4094},"trunks":{"optional":1,"pattern":"(?^:\\d+(?:-\\d+)?(?:;\\d+(?:-\\d+)?)*)"},"virtio":{"alias":"macaddr","keyAlias":"model"},"vmxnet3":{"alias":"macaddr","keyAlias":"model"}}}
{"optional":1,"format":{"cpus":{"pattern":"(?^:\\d+(?:-\\d+)?(?:;\\d+(?:-\\d+)?)*)"},"hostnodes":{"optional":1,"pattern":"(?^:\\d+(?:-\\d+)?(?:;\\d+(?:-\\d+)?)*)"},"memory":{"type":"number","optional":1},"policy":{"optional":1,"enum":["preferred","bind","interleave"]}}}
{"optional":1,"enum":["other","wxp","w2k","w2k3","w2k8","wvista","win7","win8","win10","win11","l24","l26","solaris"]}
{"optional":1,"pattern":"/dev/parport\\d+|/dev/usb/lp\\d+"}
{"optional":1,"format":"pve-poolid"}
{"optional":1,"format":"pve-qm-rng"}
{"optional":1,"format":{"aio":{"optional":1,"enum":["native","threads","io_uring"]},"backup":{"type":"boolean","optional":1},"bps":{"type":"integer","optional":1},"bps_max_length":{"type":"integer","optional":1,"minimum":1},"bps_rd":{"type":"integer","optional":1},"bps_rd_length":{"alias":"bps_rd_max_length"},"bps_rd_max_length":{"type":"integer","optional":1,"minimum":1},"bps_wr":{"type":"integer","optional":1},"bps_wr_length":{"alias":"bps_wr_max_length"},"bps_wr_max_length":{"type":"integer","optional":1,"minimum":1},"cache":{"optional":1,"enum":["none","writethrough","writeback","unsafe","directsync"]},"cyls":{"type":"integer","optional":1},"detect_zeroes":{"type":"boolean","optional":1},"discard":{"optional":1,"enum":["ignore","on"]},"file":{"default_key":1,"format":"pve-volume-id-or-qm-path"},"format":{"optional":1,"enum":["raw","qcow","qed","qcow2","vmdk","cloop"]},"heads":{"type":"integer","optional":1},"import-from":{"optional":1,"format":"pve-volume-id-or-absolute-path"},"iops":{"type":"integer","optional":1},"iops_max":{"type":"integer","optional":1},"iops_max_length":{"type":"integer","optional":1,"minimum":1},"iops_rd":{"type":"integer","optional":1},"iops_rd_length":{"alias":"iops_rd_max_length"},"iops_rd_max":{"type":"integer","optional":1},"iops_rd_max_length":{"type":"integer","optional":1,"minimum":1},"iops_wr":{"type":"integer","optional":1},"iops_wr_length":{"alias":"iops_wr_max_length"},"iops_wr_max":{"type":"integer","optional":1},"iops_wr_max_length":{"type":"integer","optional":1,"minimum":1},"mbps":{"type":"number","optional":1},"mbps_max":{"type":"number","optional":1},"mbps_rd":{"type":"number","optional":1},"mbps_rd_max":{"type":"number","optional":1},"mbps_wr":{"type":"number","optional":1},"mbps_wr_max":{"type":"number","optional":1},"media":{"optional":1,"enum":["cdrom","disk"]},"replicate":{"type":"boolean","optional":1},"rerror":{"optional":1,"enum":["ignore","report","stop"]},"secs":{"type":"integer","optional":1},"serial":{"optional":1,"maxLength":60,"format":"urlencoded"},"shared":{"type":"boolean","optional":1},"size":{"optional":1,"format":"disk-size"},"snapshot":{"type":"boolean","optional":1},"ssd":{"type":"boolean","optional":1},"trans":{"optional":1,"enum":["none","lba","auto"]},"volume":{"alias":"file"},"werror":{"optional":1,"enum":["enospc","ignore","report","stop"]},"wwn":{"optional":1,"pattern":"(?^:^(0x)[0-9a-fA-F]{16})"}}}
{"optional":1,"format":{"aio":{"optional":1,"enum":["native","threads","io_uring"]},"backup":{"type":"boolean","optional":1},"bps":{"type":"integer","optional":1},"bps_max_length":{"type":"integer","optional":1,"minimum":1},"bps_rd":{"type":"integer","optional":1},"bps_rd_length":{"alias":"bps_rd_max_length"},"bps_rd_max_length":{"type":"integer","optional":1,"minimum":1},"bps_wr":{"type":"integer","optional":1},"bps_wr_length":{"alias":"bps_wr_max_length"},"bps_wr_max_length":{"type":"integer","optional":1,"minimum":1},"cache":{"optional":1,"enum":["none","writethrough","writeback","unsafe","directsync"]},"cyls":{"type":"integer","optional":1},"detect_zeroes":{"type":"boolean","optional":1},"discard":{"optional":1,"enum":["ignore","on"]},"file":{"default_key":1,"format":"pve-volume-id-or-qm-path"},"format":{"optional":1,"enum":["raw","qcow","qed","qcow2","vmdk","cloop"]},"heads":{"type":"integer","optional":1},"import-from":{"optional":1,"format":"pve-volume-id-or-absolute-path"},"iops":{"type":"integer","optional":1},"iops_max":{"type":"integer","optional":1},"iops_max_length":{"type":"integer","optional":1,"minimum":1},"iops_rd":{"type":"integer","optional":1},"iops_rd_length":{"alias":"iops_rd_max_length"},"iops_rd_max":{"type":"integer","optional":1},"iops_rd_max_length":{"type":"integer","optional":1,"minimum":1},"iops_wr":{"type":"integer","optional":1},"iops_wr_length":{"alias":"iops_wr_max_length"},"iops_wr_max":{"type":"integer","optional":1},"iops_wr_max_length":{"type":"integer","optional":1,"minimum":1},"iothread":{"type":"boolean","optional":1},"mbps":{"type":"number","optional":1},"mbps_max":{"type":"number","optional":1},"mbps_rd":{"type":"number","optional":1},"mbps_rd_max":{"type":"number","optional":1},"mbps_wr":{"type":"number","optional":1},"mbps_wr_max":{"type":"number","optional":1},"media":{"optional":1,"enum":["cdrom","disk"]},"product":{"optional":1,"pattern":"[A-Za-z0-9\\-_\\s]{,16}"},"queues":{"type":"integer","optional":1,"minimum":2},"replicate":{"type":"boolean","optional":1},"rerror":{"optional":1,"enum":["ignore","report","stop"]},"ro":{"type":"boolean","optional":1},"scsiblock":{"type":"boolean","optional":1},"secs":{"type":"integer","optional":1},"serial":{"optional":1,"maxLength":60,"format":"urlencoded"},"shared":{"type":"boolean","optional":1},"size":{"optional":1,"format":"disk-size"},"snapshot":{"type":"boolean","optional":1},"ssd":{"type":"boolean","optional":1},"trans":{"optional":1,"enum":["none","lba","auto"]},"vendor":{"optional":1,"pattern":"[A-Za-z0-9\\-_\\s]{,8}"},"volume":{"alias":"file"},"werror":{"optional":1,"enum":["enospc","ignore","report","stop"]},"wwn":{"optional":1,"pattern":"(?^:^(0x)[0-9a-fA-F]{16})"}}}
{"optional":1,"enum":["lsi","lsi53c810","virtio-scsi-pci","virtio-scsi-single","megasas","pvscsi"]}
{"optional":1,"pattern":"(/dev/.+|socket)"}
{"type":"integer","optional":1,"minimum":0,"maximum":50000}
{"optional":1,"maxLength":512,"format":"pve-qm-smbios1"}
{"optional":1,"format":{"foldersharing":{"type":"boolean","optional":1},"videostreaming":{"optional":1,"enum":["off","all","filter"]}}}
{"optional":1,"format":"urlencoded"}
{"optional":1,"pattern":"(now|\\d{4}-\\d{1,2}-\\d{1,2}(T\\d{1,2}:\\d{1,2}:\\d{1,2})?)"}
{"optional":1,"format":"pve-startup-order"}
{"optional":1,"format":"pve-tag-list"}
{"optional":1,"format":{"file":{"default_key":1,"format":"pve-volume-id-or-qm-path"},"import-from":{"optional":1,"format":"pve-volume-id-or-absolute-path"},"size":{"optional":1,"format":"disk-size"},"version":{"optional":1,"enum":["v1.2","v2.0"]},"volume":{"alias":"file"}}}
{"optional":1,"format":{"file":{"default_key":1,"format":"pve-volume-id"},"volume":{"alias":"file"}}}
{"optional":1,"format":{"host":{"optional":1,"pattern":"(?^:(?:(?:(?^:(0x)?([0-9A-Fa-f]{4}):(0x)?([0-9A-Fa-f]{4})))|(?:(?^:(\\d+)\\-(\\d+(\\.\\d+)*)))|[Ss][Pp][Ii][Cc][Ee]))","default_key":1},"mapping":{"optional":1,"format":"pve-configid"},"usb3":{"type":"boolean","optional":1}}}
{"optional":1,"format":{"clipboard":{"optional":1,"enum":["vnc"]},"memory":{"type":"integer","optional":1,"minimum":4,"maximum":512},"type":{"optional":1,"enum":["cirrus","qxl","qxl2","qxl3","qxl4","none","serial0","serial1","serial2","serial3","std","virtio","virtio-gl","vmware"],"default_key":1}}}
{"optional":1,"format":{"aio":{"optional":1,"enum":["native","threads","io_uring"]},"backup":{"type":"boolean","optional":1},"bps":{"type":"integer","optional":1},"bps_max_length":{"type":"integer","optional":1,"minimum":1},"bps_rd":{"type":"integer","optional":1},"bps_rd_length":{"alias":"bps_rd_max_length"},"bps_rd_max_length":{"type":"integer","optional":1,"minimum":1},"bps_wr":{"type":"integer","optional":1},"bps_wr_length":{"alias":"bps_wr_max_length"},"bps_wr_max_length":{"type":"integer","optional":1,"minimum":1},"cache":{"optional":1,"enum":["none","writethrough","writeback","unsafe","directsync"]},"cyls":{"type":"integer","optional":1},"detect_zeroes":{"type":"boolean","optional":1},"discard":{"optional":1,"enum":["ignore","on"]},"file":{"default_key":1,"format":"pve-volume-id-or-qm-path"},"format":{"optional":1,"enum":["raw","qcow","qed","qcow2","vmdk","cloop"]},"heads":{"type":"integer","optional":1},"import-from":{"optional":1,"format":"pve-volume-id-or-absolute-path"},"iops":{"type":"integer","optional":1},"iops_max":{"type":"integer","optional":1},"iops_max_length":{"type":"integer","optional":1,"minimum":1},"iops_rd":{"type":"integer","optional":1},"iops_rd_length":{"alias":"iops_rd_max_length"},"iops_rd_max":{"type":"integer","optional":1},"iops_rd_max_length":{"type":"integer","optional":1,"minimum":1},"iops_wr":{"type":"integer","optional":1},"iops_wr_length":{"alias":"iops_wr_max_length"},"iops_wr_max":{"type":"integer","optional":1},"iops_wr_max_length":{"type":"integer","optional":1,"minimum":1},"iothread":{"type":"boolean","optional":1},"mbps":{"type":"number","optional":1},"mbps_max":{"type":"number","optional":1},"mbps_rd":{"type":"number","optional":1},"mbps_rd_max":{"type":"number","optional":1},"mbps_wr":{"type":"number","optional":1},"mbps_wr_max":{"type":"number","optional":1},"media":{"optional":1,"enum":["cdrom","disk"]},"replicate":{"type":"boolean","optional":1},"rerror":{"optional":1,"enum":["ignore","report","stop"]},"ro":{"type":"boolean","optional":1},"secs":{"type":"integer","optional":1},"serial":{"optional":1,"maxLength":60,"format":"urlencoded"},"shared":{"type":"boolean","optional":1},"size":{"optional":1,"format":"disk-size"},"snapshot":{"type":"boolean","optional":1},"trans":{"optional":1,"enum":["none","lba","auto"]},"volume":{"alias":"file"},"werror":{"optional":1,"enum":["enospc","ignore","report","stop"]}}}
{"optional":1,"format":{"cache":{"optional":1,"enum":["auto","always","metadata","never"]},"direct-io":{"type":"boolean","optional":1},"dirid":{"default_key":1,"format":"pve-configid"},"expose-acl":{"type":"boolean","optional":1},"expose-xattr":{"type":"boolean","optional":1}}}
{"optional":1,"pattern":"(?:[a-fA-F0-9]{8}(?:-[a-fA-F0-9]{4}){3}-[a-fA-F0-9]{12}|[01])"}
{"type":"integer","minimum":100,"maximum":999999999,"format":"pve-vmid"}
{"optional":1,"format":"pve-qm-watchdog"}
{"enum":["fsfreeze-freeze","fsfreeze-status","fsfreeze-thaw","fstrim","get-fsinfo","get-host-name","get-memory-block-info","get-memory-blocks","get-osinfo","get-time","get-timezone","get-users","get-vcpus","info","network-get-interfaces","ping","shutdown","suspend-disk","suspend-hybrid","suspend-ram"]}
{"minLength":5,"maxLength":1024}
{"type":"array","items":{"format":"string"}}
{"type":"integer"}
{"maxLength":61440}
{"optional":1,"enum":["AVERAGE","MAX"]}
{"format":"pve-configid-list"}
{"enum":["hour","day","week","month","year"]}
{"optional":1,"maxLength":40,"format":"pve-configid"}
{"type":"integer","optional":1,"minimum":1,"maximum":30}
{"optional":1,"maxLength":40}
{"type":"boolean","optional":1,"requires":"delete"}
{"enum":["user","network","meta"]}
{"optional":1,"enum":["serial0","serial1","serial2","serial3"]}
{"type":"integer","minimum":5900,"maximum":5999}
{"maxLength":512}
{"optional":1,"format":"CIDR"}
{"optional":1,"enum":["secure","insecure"]}
{"optional":1,"pattern":"net\\d+=\\d+(,net\\d+=\\d+)*"}
{"optional":1,"format":"storage-pair-list"}
{"optional":1,"requires":"todisk","format":"pve-storage-id"}
{"enum":["snapshot","clone","copy"]}
{"optional":1,"enum":["raw","qcow2","vmdk"]}
{"enum":["ide0","ide1","ide2","ide3","scsi0","scsi1","scsi2","scsi3","scsi4","scsi5","scsi6","scsi7","scsi8","scsi9","scsi10","scsi11","scsi12","scsi13","scsi14","scsi15","scsi16","scsi17","scsi18","scsi19","scsi20","scsi21","scsi22","scsi23","scsi24","scsi25","scsi26","scsi27","scsi28","scsi29","scsi30","virtio0","virtio1","virtio2","virtio3","virtio4","virtio5","virtio6","virtio7","virtio8","virtio9","virtio10","virtio11","virtio12","virtio13","virtio14","virtio15","sata0","sata1","sata2","sata3","sata4","sata5","efidisk0","tpmstate0","unused0","unused1","unused2","unused3","unused4","unused5","unused6","unused7","unused8","unused9","unused10","unused11","unused12","unused13","unused14","unused15","unused16","unused17","unused18","unused19","unused20","unused21","unused22","unused23","unused24","unused25","unused26","unused27","unused28","unused29","unused30","unused31","unused32","unused33","unused34","unused35","unused36","unused37","unused38","unused39","unused40","unused41","unused42","unused43","unused44","unused45","unused46","unused47","unused48","unused49","unused50","unused51","unused52","unused53","unused54","unused55","unused56","unused57","unused58","unused59","unused60","unused61","unused62","unused63","unused64","unused65","unused66","unused67","unused68","unused69","unused70","unused71","unused72","unused73","unused74","unused75","unused76","unused77","unused78","unused79","unused80","unused81","unused82","unused83","unused84","unused85","unused86","unused87","unused88","unused89","unused90","unused91","unused92","unused93","unused94","unused95","unused96","unused97","unused98","unused99","unused100","unused101","unused102","unused103","unused104","unused105","unused106","unused107","unused108","unused109","unused110","unused111","unused112","unused113","unused114","unused115","unused116","unused117","unused118","unused119","unused120","unused121","unused122","unused123","unused124","unused125","unused126","unused127","unused128","unused129","unused130","unused131","unused132","unused133","unused134","unused135","unused136","unused137","unused138","unused139","unused140","unused141","unused142","unused143","unused144","unused145","unused146","unused147","unused148","unused149","unused150","unused151","unused152","unused153","unused154","unused155","unused156","unused157","unused158","unused159","unused160","unused161","unused162","unused163","unused164","unused165","unused166","unused167","unused168","unused169","unused170","unused171","unused172","unused173","unused174","unused175","unused176","unused177","unused178","unused179","unused180","unused181","unused182","unused183","unused184","unused185","unused186","unused187","unused188","unused189","unused190","unused191","unused192","unused193","unused194","unused195","unused196","unused197","unused198","unused199","unused200","unused201","unused202","unused203","unused204","unused205","unused206","unused207","unused208","unused209","unused210","unused211","unused212","unused213","unused214","unused215","unused216","unused217","unused218","unused219","unused220","unused221","unused222","unused223","unused224","unused225","unused226","unused227","unused228","unused229","unused230","unused231","unused232","unused233","unused234","unused235","unused236","unused237","unused238","unused239","unused240","unused241","unused242","unused243","unused244","unused245","unused246","unused247","unused248","unused249","unused250","unused251","unused252","unused253","unused254","unused255"]}
{"optional":1,"enum":["ide0","ide1","ide2","ide3","scsi0","scsi1","scsi2","scsi3","scsi4","scsi5","scsi6","scsi7","scsi8","scsi9","scsi10","scsi11","scsi12","scsi13","scsi14","scsi15","scsi16","scsi17","scsi18","scsi19","scsi20","scsi21","scsi22","scsi23","scsi24","scsi25","scsi26","scsi27","scsi28","scsi29","scsi30","virtio0","virtio1","virtio2","virtio3","virtio4","virtio5","virtio6","virtio7","virtio8","virtio9","virtio10","virtio11","virtio12","virtio13","virtio14","virtio15","sata0","sata1","sata2","sata3","sata4","sata5","efidisk0","tpmstate0","unused0","unused1","unused2","unused3","unused4","unused5","unused6","unused7","unused8","unused9","unused10","unused11","unused12","unused13","unused14","unused15","unused16","unused17","unused18","unused19","unused20","unused21","unused22","unused23","unused24","unused25","unused26","unused27","unused28","unused29","unused30","unused31","unused32","unused33","unused34","unused35","unused36","unused37","unused38","unused39","unused40","unused41","unused42","unused43","unused44","unused45","unused46","unused47","unused48","unused49","unused50","unused51","unused52","unused53","unused54","unused55","unused56","unused57","unused58","unused59","unused60","unused61","unused62","unused63","unused64","unused65","unused66","unused67","unused68","unused69","unused70","unused71","unused72","unused73","unused74","unused75","unused76","unused77","unused78","unused79","unused80","unused81","unused82","unused83","unused84","unused85","unused86","unused87","unused88","unused89","unused90","unused91","unused92","unused93","unused94","unused95","unused96","unused97","unused98","unused99","unused100","unused101","unused102","unused103","unused104","unused105","unused106","unused107","unused108","unused109","unused110","unused111","unused112","unused113","unused114","unused115","unused116","unused117","unused118","unused119","unused120","unused121","unused122","unused123","unused124","unused125","unused126","unused127","unused128","unused129","unused130","unused131","unused132","unused133","unused134","unused135","unused136","unused137","unused138","unused139","unused140","unused141","unused142","unused143","unused144","unused145","unused146","unused147","unused148","unused149","unused150","unused151","unused152","unused153","unused154","unused155","unused156","unused157","unused158","unused159","unused160","unused161","unused162","unused163","unused164","unused165","unused166","unused167","unused168","unused169","unused170","unused171","unused172","unused173","unused174","unused175","unused176","unused177","unused178","unused179","unused180","unused181","unused182","unused183","unused184","unused185","unused186","unused187","unused188","unused189","unused190","unused191","unused192","unused193","unused194","unused195","unused196","unused197","unused198","unused199","unused200","unused201","unused202","unused203","unused204","unused205","unused206","unused207","unused208","unused209","unused210","unused211","unused212","unused213","unused214","unused215","unused216","unused217","unused218","unused219","unused220","unused221","unused222","unused223","unused224","unused225","unused226","unused227","unused228","unused229","unused230","unused231","unused232","unused233","unused234","unused235","unused236","unused237","unused238","unused239","unused240","unused241","unused242","unused243","unused244","unused245","unused246","unused247","unused248","unused249","unused250","unused251","unused252","unused253","unused254","unused255"]}
{"enum":["ide0","ide1","ide2","ide3","scsi0","scsi1","scsi2","scsi3","scsi4","scsi5","scsi6","scsi7","scsi8","scsi9","scsi10","scsi11","scsi12","scsi13","scsi14","scsi15","scsi16","scsi17","scsi18","scsi19","scsi20","scsi21","scsi22","scsi23","scsi24","scsi25","scsi26","scsi27","scsi28","scsi29","scsi30","virtio0","virtio1","virtio2","virtio3","virtio4","virtio5","virtio6","virtio7","virtio8","virtio9","virtio10","virtio11","virtio12","virtio13","virtio14","virtio15","sata0","sata1","sata2","sata3","sata4","sata5","efidisk0","tpmstate0"]}
{"pattern":"\\+?\\d+(\\.\\d+)?[KMGT]?"}
{"maxLength":40,"format":"pve-configid"}
{"optional":1,"enum":["ide0","ide1","ide2","ide3","scsi0","scsi1","scsi2","scsi3","scsi4","scsi5","scsi6","scsi7","scsi8","scsi9","scsi10","scsi11","scsi12","scsi13","scsi14","scsi15","scsi16","scsi17","scsi18","scsi19","scsi20","scsi21","scsi22","scsi23","scsi24","scsi25","scsi26","scsi27","scsi28","scsi29","scsi30","virtio0","virtio1","virtio2","virtio3","virtio4","virtio5","virtio6","virtio7","virtio8","virtio9","virtio10","virtio11","virtio12","virtio13","virtio14","virtio15","sata0","sata1","sata2","sata3","sata4","sata5","efidisk0","tpmstate0"]}
{"optional":1,"enum":["amd64","i386","arm64","armhf","riscv32","riscv64"]}
{"type":"number","optional":1,"minimum":"0"}
{"optional":1,"enum":["shell","console","tty"]}
{"type":"integer","optional":1,"minimum":1,"maximum":8192}
{"type":"number","optional":1,"minimum":0,"maximum":8192}
{"type":"integer","optional":1,"minimum":0,"maximum":500000}
{"optional":1,"format":{"deny-write":{"type":"boolean","optional":1},"gid":{"type":"integer","optional":1,"minimum":0},"mode":{"optional":1,"pattern":"0[0-7]{3}"},"path":{"optional":1,"default_key":1,"format":"pve-lxc-dev-string"},"uid":{"type":"integer","optional":1,"minimum":0}}}
{"optional":1,"format":{"force_rw_sys":{"type":"boolean","optional":1},"fuse":{"type":"boolean","optional":1},"keyctl":{"type":"boolean","optional":1},"mknod":{"type":"boolean","optional":1},"mount":{"optional":1,"pattern":"(?^:[a-zA-Z0-9_; ]+)"},"nesting":{"type":"boolean","optional":1}}}
{"optional":1,"maxLength":255,"format":"dns-name"}
{"optional":1,"enum":["backup","create","destroyed","disk","fstrim","migrate","mounted","rollback","snapshot","snapshot-delete"]}
{"type":"integer","optional":1,"minimum":16}
{"optional":1,"format":{"acl":{"type":"boolean","optional":1},"backup":{"type":"boolean","optional":1},"mountoptions":{"optional":1,"pattern":"(?^:(?^:(discard|lazytime|noatime|nodev|noexec|nosuid))(;(?^:(discard|lazytime|noatime|nodev|noexec|nosuid)))*)"},"mp":{"format":"pve-lxc-mp-string"},"quota":{"type":"boolean","optional":1},"replicate":{"type":"boolean","optional":1},"ro":{"type":"boolean","optional":1},"shared":{"type":"boolean","optional":1},"size":{"optional":1,"format":"disk-size"},"volume":{"default_key":1,"format":"pve-lxc-mp-string"}}}
{"optional":1,"format":"lxc-ip-with-ll-iface-list"}
{"optional":1,"format":{"bridge":{"optional":1,"pattern":"[-_.\\w\\d]+"},"firewall":{"type":"boolean","optional":1},"gw":{"optional":1,"format":"ipv4"},"gw6":{"optional":1,"format":"ipv6"},"hwaddr":{"optional":1,"format":"mac-addr"},"ip":{"optional":1,"format":"pve-ipv4-config"},"ip6":{"optional":1,"format":"pve-ipv6-config"},"link_down":{"type":"boolean","optional":1},"mtu":{"type":"integer","optional":1,"minimum":64,"maximum":65535},"name":{"pattern":"[-_.\\w\\d]+"},"rate":{"type":"number","optional":1},"tag":{"type":"integer","optional":1,"minimum":1,"maximum":4094},"trunks":{"optional":1,"pattern":"(?^:\\d+(?:;\\d+)*)"},"type":{"optional":1,"enum":["veth"]}}}
{"maxLength":255}
{"optional":1,"enum":["debian","devuan","ubuntu","centos","fedora","opensuse","archlinux","alpine","gentoo","nixos","unmanaged"]}
{"optional":1,"minLength":5}
{"optional":1,"format":{"acl":{"type":"boolean","optional":1},"mountoptions":{"optional":1,"pattern":"(?^:(?^:(discard|lazytime|noatime|nodev|noexec|nosuid))(;(?^:(discard|lazytime|noatime|nodev|noexec|nosuid)))*)"},"quota":{"type":"boolean","optional":1},"replicate":{"type":"boolean","optional":1},"ro":{"type":"boolean","optional":1},"shared":{"type":"boolean","optional":1},"size":{"optional":1,"format":"disk-size"},"volume":{"default_key":1,"format":"pve-lxc-mp-string"}}}
{"optional":1,"format":"dns-name-list"}
{"optional":1,"format":"pve-ct-timezone"}
{"type":"integer","optional":1,"minimum":0,"maximum":6}
{"type":"boolean","optional":1,"requires":"restore"}
{"optional":1,"format":{"volume":{"default_key":1,"format":"pve-volume-id"}}}
{"optional":1,"maxLength":50,"pattern":"\\S+"}
{"maxLength":32,"pattern":"\\s*pve([1248])([cbsp])-[0-9a-f]{10}\\s*"}
{"optional":1,"enum":["bridge","bond","eth","alias","vlan","OVSBridge","OVSBond","OVSPort","OVSIntPort","vnet","any_bridge","any_local_bridge"]}
{"optional":1,"requires":"netmask","format":"ipv4"}
{"optional":1,"requires":"netmask6","format":"ipv6"}
{"optional":1,"format":"pve-iface"}
{"optional":1,"enum":["balance-rr","active-backup","balance-xor","broadcast","802.3ad","balance-tlb","balance-alb","balance-slb","lacp-balance-slb","lacp-balance-tcp"]}
{"optional":1,"enum":["layer2","layer2+3","layer3+4"]}
{"optional":1,"format":"pve-iface-list"}
{"optional":1,"format":"pve-vlan-id-or-range-list"}
{"optional":1,"format":"CIDRv4"}
{"optional":1,"format":"CIDRv6"}
{"optional":1,"format":"ipv4"}
{"optional":1,"format":"ipv6"}
{"minLength":2,"maxLength":20,"format":"pve-iface"}
{"type":"integer","optional":1,"minimum":1280,"maximum":65520}
{"optional":1,"requires":"address","format":"ipv4mask"}
{"type":"integer","optional":1,"minimum":0,"maximum":128,"requires":"address6"}
{"optional":1,"maxLength":1024}
{"type":"integer","optional":1,"minimum":1,"maximum":4094}
{"enum":["bridge","bond","eth","alias","vlan","OVSBridge","OVSBond","OVSPort","OVSIntPort","vnet","unknown"]}
{"optional":1,"enum":["archive","active","all"]}
{"optional":1,"format":"pve-task-status-type-list"}
{"optional":1,"format":"string-list"}
{"pattern":"(?:(?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9a-fA-F])|([a-zA-Z][a-zA-Z0-9_-]+)"}
{"optional":1,"format":"pve-storage-content-list"}
{"format":"pve-storage-id"}
{"optional":1,"enum":["qemu","lxc"]}
{"optional":1,"format":"pve-storage-content"}
{"optional":1,"enum":["raw","qcow2","subvol","vmdk"],"requires":"size"}
{"pattern":"\\d+[MG]?"}
{"optional":1,"requires":"checksum-algorithm"}
{"optional":1,"enum":["md5","sha1","sha224","sha256","sha384","sha512"],"requires":"checksum"}
{"enum":["iso","vztmpl","import"],"format":"pve-storage-content"}
{"optional":1,"pattern":"/var/tmp/pveupload-[0-9a-f]+"}
{"pattern":"https?://.*"}
{"optional":1,"enum":["unused","journal_disks"]}
{"optional":1,"format":"pve-fw-conntrack-helper"}
{"type":"integer","optional":1,"minimum":32768}
{"type":"integer","optional":1,"minimum":7875}
{"type":"integer","optional":1,"minimum":30,"maximum":60}
{"optional":1,"enum":["acme","acmedomain0","acmedomain1","acmedomain2","acmedomain3","acmedomain4","acmedomain5","ballooning-target","description","startall-onboot-delay","wakeonlan"]}
{"optional":1,"format":{"account":{"optional":1,"format":"pve-configid"},"domains":{"optional":1,"format":"pve-acme-domain-list"}}}
{"optional":1,"format":{"alias":{"optional":1,"format":"pve-acme-alias"},"domain":{"default_key":1,"format":"pve-acme-domain"},"plugin":{"optional":1,"format":"pve-configid"}}}
{"type":"integer","optional":1,"minimum":0,"maximum":100}
{"type":"integer","optional":1,"minimum":0,"maximum":300}
{"optional":1,"format":{"bind-interface":{"optional":1,"format":"pve-iface"},"broadcast-address":{"optional":1,"format":"ipv4"},"mac":{"default_key":1,"format":"mac-addr"}}}
{"enum":["reboot","shutdown"]}
{"optional":1,"pattern":"^\\d{4}-\\d{2}-\\d{2}( \\d{2}:\\d{2}(:\\d{2})?)?$"}
{"type":"integer","optional":1,"minimum":0,"maximum":7200}
{"optional":1,"enum":["btrfs","cephfs","cifs","dir","esxi","glusterfs","iscsi","iscsidirect","lvm","lvmthin","nfs","pbs","rbd","zfs","zfspool"]}
{"optional":1,"format":"pve-dir-override-list"}
{"optional":1,"maxLength":256}
{"optional":1,"format":"pve-storage-path"}
{"optional":1,"pattern":"([A-Fa-f0-9]{2}:){31}[A-Fa-f0-9]{2}"}
{"optional":1,"enum":["raw","qcow2","subvol","vmdk"]}
{"type":"integer","optional":1,"minimum":-1}
{"optional":1,"format":"pve-storage-portal-dns-list"}
{"optional":1,"format":"pve-storage-options"}
{"type":"integer","optional":1,"minimum":1,"maximum":65535}
{"optional":1,"format":"pve-storage-portal-dns"}
{"optional":1,"enum":["off","metadata","falloc","full"]}
{"optional":1,"format":"pve-storage-server"}
{"optional":1,"requires":"server","format":"pve-storage-server"}
{"optional":1,"enum":["default","2.0","2.1","3","3.0","3.11"]}
{"optional":1,"format":"pve-storage-vgname"}
{"optional":1,"enum":["tcp","rdma","unix"]}
{"enum":["btrfs","cephfs","cifs","dir","esxi","glusterfs","iscsi","iscsidirect","lvm","lvmthin","nfs","pbs","rbd","zfs","zfspool"]}
{"optional":1,"maxLength":2048}
{"optional":1,"maxLength":254,"format":"email-opt"}
{"optional":1,"format":"pve-groupid-list"}
{"optional":1,"pattern":"[0-9a-zA-Z!=]{0,4096}"}
{"optional":1,"minLength":8,"maxLength":64}
{"maxLength":64,"format":"pve-userid"}
{"type":"boolean","optional":1,"requires":"groups"}
{"pattern":"(?^:[A-Za-z][A-Za-z0-9\\.\\-_]+)"}
{"format":"pve-groupid"}
{"optional":1,"format":"pve-priv-list"}
{"format":"pve-roleid"}
{"type":"boolean","optional":1,"requires":"privs"}
{"format":"pve-roleid-list"}
{"optional":1,"format":"pve-tokenid-list"}
{"optional":1,"format":"pve-userid-list"}
{"optional":1,"pattern":"^[^\\x00-\\x1F\\x7F <>#\"]*$"}
{"optional":1,"maxLength":256,"pattern":"\\S+"}
{"optional":1,"format":"ldap-simple-attr-list"}
{"optional":1,"maxLength":256,"format":"ldap-simple-attr"}
{"optional":1,"maxLength":256,"pattern":"(?^:[A-Za-z0-9\\.\\-_]+)"}
{"optional":1,"enum":["ldap","ldaps","ldap+starttls"]}
{"optional":1,"pattern":"(?:none|login|consent|select_account|\\S+)"}
{"maxLength":32,"format":"pve-realm"}
{"optional":1,"maxLength":256,"format":"address"}
{"optional":1,"enum":["tlsv1","tlsv1_1","tlsv1_2","tlsv1_3"]}
{"optional":1,"format":"realm-sync-options"}
{"optional":1,"pattern":"\\w+=[^,]+(,\\s*\\w+=[^,]+)*"}
{"optional":1,"maxLength":128,"format":"pve-tfa-config"}
{"enum":["ad","ldap","openid","pam","pve"]}
{"optional":1,"maxLength":256,"pattern":"\\S{2,}"}
{"optional":1,"maxLength":64,"requires":"privs"}
{"optional":1,"maxLength":64,"requires":"path","format":"pve-priv-list"}
{"optional":1,"maxLength":32,"format":"pve-realm"}
{"maxLength":64}
{"optional":1,"minLength":5,"maxLength":64}
{"minLength":8,"maxLength":64}
{"optional":1,"pattern":"(?^:^(?^:[^\\s:/]+)\\@(?^:[A-Za-z][A-Za-z0-9\\.\\-_]+)(?:!(?^:[A-Za-z][A-Za-z0-9\\.\\-_]+))?$)"}
{"format":"pve-poolid"}
{"optional":1,"enum":["qemu","lxc","storage"],"requires":"poolid"}
{"optional":1,"format":"pve-storage-id-list"}
{"optional":1,"enum":["qemu","lxc","storage"]}
{"optional":0,"format":"pve-ha-node-list"}
{"optional":1,"format":"pve-ha-node-list"}
{"optional":1,"enum":["node-affinity","resource-affinity"]}
{"optional":0,"format":"pve-configid"}
{"enum":["node-affinity","resource-affinity"]}
{"optional":0,"only":["node-affinity"],"format":"pve-ha-node-list"}
{"optional":0,"format":"pve-ha-resource-id-list"}
{"type":"boolean","optional":1,"only":["node-affinity"]}
{"optional":0,"enum":["positive","negative"],"only":["resource-affinity"]}
{"optional":1,"only":["node-affinity"],"format":"pve-ha-node-list"}
{"optional":1,"format":"pve-ha-resource-id-list"}
{"optional":1,"enum":["positive","negative"],"only":["resource-affinity"]}
{"enum":["freeze","ignore"]}
{"type":"integer","optional":1,"minimum":1,"maximum":16777215}
{"minLength":2,"maxLength":8,"pattern":"[a-zA-Z][a-zA-Z0-9]*[a-zA-Z0-9]"}
{"optional":1,"format":"pve-sdn-fabric-id"}
{"optional":1,"format":{"ha":{"optional":1,"enum":["basic","static","dynamic"]},"ha-auto-rebalance":{"type":"boolean","optional":1},"ha-auto-rebalance-hold-duration":{"type":"number","optional":1,"minimum":0,"requires":"ha-auto-rebalance"},"ha-auto-rebalance-margin":{"type":"number","optional":1,"minimum":0,"maximum":100,"requires":"ha-auto-rebalance"},"ha-auto-rebalance-method":{"optional":1,"enum":["bruteforce","topsis"],"requires":"ha-auto-rebalance"},"ha-auto-rebalance-threshold":{"type":"number","optional":1,"minimum":0,"maximum":100,"requires":"ha-auto-rebalance"},"ha-rebalance-on-start":{"type":"boolean","optional":1}}}
{"optional":1,"format":"pve-node-location"}
{"optional":1,"format":{"enabled":{"type":"boolean","default_key":1},"freeze-fs":{"type":"boolean","optional":1},"freeze-fs-on-backup":{"alias":"freeze-fs"},"fstrim_cloned_disks":{"type":"boolean","optional":1},"guest-fsfreeze":{"alias":"freeze-fs"},"type":{"optional":1,"enum":["virtio","isa"]}}}
{"optional":1,"format":{"aio":{"optional":1,"enum":["native","threads","io_uring"]},"backup":{"type":"boolean","optional":1},"bps":{"type":"integer","optional":1},"bps_max_length":{"type":"integer","optional":1,"minimum":1},"bps_rd":{"type":"integer","optional":1},"bps_rd_length":{"alias":"bps_rd_max_length"},"bps_rd_max_length":{"type":"integer","optional":1,"minimum":1},"bps_wr":{"type":"integer","optional":1},"bps_wr_length":{"alias":"bps_wr_max_length"},"bps_wr_max_length":{"type":"integer","optional":1,"minimum":1},"cache":{"optional":1,"enum":["none","writethrough","writeback","unsafe","directsync"]},"detect_zeroes":{"type":"boolean","optional":1},"discard":{"optional":1,"enum":["ignore","on"]},"file":{"default_key":1,"format":"pve-volume-id-or-qm-path"},"format":{"optional":1,"enum":["raw","qcow","qed","qcow2","vmdk","cloop"]},"import-from":{"optional":1,"format":"pve-volume-id-or-absolute-path"},"iops":{"type":"integer","optional":1},"iops_max":{"type":"integer","optional":1},"iops_max_length":{"type":"integer","optional":1,"minimum":1},"iops_rd":{"type":"integer","optional":1},"iops_rd_length":{"alias":"iops_rd_max_length"},"iops_rd_max":{"type":"integer","optional":1},"iops_rd_max_length":{"type":"integer","optional":1,"minimum":1},"iops_wr":{"type":"integer","optional":1},"iops_wr_length":{"alias":"iops_wr_max_length"},"iops_wr_max":{"type":"integer","optional":1},"iops_wr_max_length":{"type":"integer","optional":1,"minimum":1},"mbps":{"type":"number","optional":1},"mbps_max":{"type":"number","optional":1},"mbps_rd":{"type":"number","optional":1},"mbps_rd_max":{"type":"number","optional":1},"mbps_wr":{"type":"number","optional":1},"mbps_wr_max":{"type":"number","optional":1},"media":{"optional":1,"enum":["cdrom","disk"]},"model":{"optional":1,"maxLength":120,"format":"urlencoded"},"replicate":{"type":"boolean","optional":1},"rerror":{"optional":1,"enum":["ignore","report","stop"]},"serial":{"optional":1,"maxLength":60,"format":"urlencoded"},"shared":{"type":"boolean","optional":1},"size":{"optional":1,"format":"disk-size"},"snapshot":{"type":"boolean","optional":1},"ssd":{"type":"boolean","optional":1},"volume":{"alias":"file"},"werror":{"optional":1,"enum":["enospc","ignore","report","stop"]},"wwn":{"optional":1,"pattern":"(?^:^(0x)[0-9a-fA-F]{16})"}}}
{"optional":1,"format":"pve-qemu-tdx-fmt"}
{"optional":1,"format":{"aw-bits":{"type":"number","optional":1,"minimum":32,"maximum":64},"enable-s3":{"type":"boolean","optional":1},"enable-s4":{"type":"boolean","optional":1},"type":{"optional":1,"maxLength":40,"pattern":"(pc|pc(-i440fx)?-\\d+(\\.\\d+)+(\\+pve\\d+)?(\\.pxe)?|q35|pc-q35-\\d+(\\.\\d+)+(\\+pve\\d+)?(\\.pxe)?|virt(?:-\\d+(\\.\\d+)+)?(\\+pve\\d+)?)","default_key":1},"viommu":{"optional":1,"enum":["intel","virtio"]}}}
{"optional":1,"format":{"bridge":{"optional":1,"format":"pve-bridge-id"},"e1000":{"alias":"macaddr","keyAlias":"model"},"e1000-82540em":{"alias":"macaddr","keyAlias":"model"},"e1000-82544gc":{"alias":"macaddr","keyAlias":"model"},"e1000-82545em":{"alias":"macaddr","keyAlias":"model"},"e1000e":{"alias":"macaddr","keyAlias":"model"},"firewall":{"type":"boolean","optional":1},"host-tunnel":{"type":"boolean","optional":1},"i82551":{"alias":"macaddr","keyAlias":"model"},"i82557b":{"alias":"macaddr","keyAlias":"model"},"i82559er":{"alias":"macaddr","keyAlias":"model"},"link_down":{"type":"boolean","optional":1},"macaddr":{"optional":1,"format":"mac-addr"},"model":{"enum":["e1000","e1000-82540em","e1000-82544gc","e1000-82545em","e1000e","i82551","i82557b","i82559er","ne2k_isa","ne2k_pci","pcnet","rtl8139","virtio","vmxnet3"],"default_key":1},"mtu":{"type":"integer","optional":1,"minimum":1,"maximum":65520},"ne2k_isa":{"alias":"macaddr","keyAlias":"model"},"ne2k_pci":{"alias":"macaddr","keyAlias":"model"},"pcnet":{"alias":"macaddr","keyAlias":"model"},"queues":{"type":"integer","optional":1,"minimum":0,"maximum":64},"rate":{"type":"number","optional":1,"minimum":0},"rtl8139":{"alias":"macaddr","keyAlias":"model"},"tag":{"type":"integer","optional":1,"minimum":1,"maximum":4094},"trunks":{"optional":1,"pattern":"(?^:\\d+(?:-\\d+)?(?:;\\d+(?:-\\d+)?)*)"},"virtio":{"alias":"macaddr","keyAlias":"model"},"vmxnet3":{"alias":"macaddr","keyAlias":"model"}}}
{"optional":1,"format":{"aio":{"optional":1,"enum":["native","threads","io_uring"]},"backup":{"type":"boolean","optional":1},"bps":{"type":"integer","optional":1},"bps_max_length":{"type":"integer","optional":1,"minimum":1},"bps_rd":{"type":"integer","optional":1},"bps_rd_length":{"alias":"bps_rd_max_length"},"bps_rd_max_length":{"type":"integer","optional":1,"minimum":1},"bps_wr":{"type":"integer","optional":1},"bps_wr_length":{"alias":"bps_wr_max_length"},"bps_wr_max_length":{"type":"integer","optional":1,"minimum":1},"cache":{"optional":1,"enum":["none","writethrough","writeback","unsafe","directsync"]},"detect_zeroes":{"type":"boolean","optional":1},"discard":{"optional":1,"enum":["ignore","on"]},"file":{"default_key":1,"format":"pve-volume-id-or-qm-path"},"format":{"optional":1,"enum":["raw","qcow","qed","qcow2","vmdk","cloop"]},"import-from":{"optional":1,"format":"pve-volume-id-or-absolute-path"},"iops":{"type":"integer","optional":1},"iops_max":{"type":"integer","optional":1},"iops_max_length":{"type":"integer","optional":1,"minimum":1},"iops_rd":{"type":"integer","optional":1},"iops_rd_length":{"alias":"iops_rd_max_length"},"iops_rd_max":{"type":"integer","optional":1},"iops_rd_max_length":{"type":"integer","optional":1,"minimum":1},"iops_wr":{"type":"integer","optional":1},"iops_wr_length":{"alias":"iops_wr_max_length"},"iops_wr_max":{"type":"integer","optional":1},"iops_wr_max_length":{"type":"integer","optional":1,"minimum":1},"mbps":{"type":"number","optional":1},"mbps_max":{"type":"number","optional":1},"mbps_rd":{"type":"number","optional":1},"mbps_rd_max":{"type":"number","optional":1},"mbps_wr":{"type":"number","optional":1},"mbps_wr_max":{"type":"number","optional":1},"media":{"optional":1,"enum":["cdrom","disk"]},"replicate":{"type":"boolean","optional":1},"rerror":{"optional":1,"enum":["ignore","report","stop"]},"serial":{"optional":1,"maxLength":60,"format":"urlencoded"},"shared":{"type":"boolean","optional":1},"size":{"optional":1,"format":"disk-size"},"snapshot":{"type":"boolean","optional":1},"ssd":{"type":"boolean","optional":1},"volume":{"alias":"file"},"werror":{"optional":1,"enum":["enospc","ignore","report","stop"]},"wwn":{"optional":1,"pattern":"(?^:^(0x)[0-9a-fA-F]{16})"}}}
{"optional":1,"format":{"aio":{"optional":1,"enum":["native","threads","io_uring"]},"backup":{"type":"boolean","optional":1},"bps":{"type":"integer","optional":1},"bps_max_length":{"type":"integer","optional":1,"minimum":1},"bps_rd":{"type":"integer","optional":1},"bps_rd_length":{"alias":"bps_rd_max_length"},"bps_rd_max_length":{"type":"integer","optional":1,"minimum":1},"bps_wr":{"type":"integer","optional":1},"bps_wr_length":{"alias":"bps_wr_max_length"},"bps_wr_max_length":{"type":"integer","optional":1,"minimum":1},"cache":{"optional":1,"enum":["none","writethrough","writeback","unsafe","directsync"]},"detect_zeroes":{"type":"boolean","optional":1},"discard":{"optional":1,"enum":["ignore","on"]},"file":{"default_key":1,"format":"pve-volume-id-or-qm-path"},"format":{"optional":1,"enum":["raw","qcow","qed","qcow2","vmdk","cloop"]},"import-from":{"optional":1,"format":"pve-volume-id-or-absolute-path"},"iops":{"type":"integer","optional":1},"iops_max":{"type":"integer","optional":1},"iops_max_length":{"type":"integer","optional":1,"minimum":1},"iops_rd":{"type":"integer","optional":1},"iops_rd_length":{"alias":"iops_rd_max_length"},"iops_rd_max":{"type":"integer","optional":1},"iops_rd_max_length":{"type":"integer","optional":1,"minimum":1},"iops_wr":{"type":"integer","optional":1},"iops_wr_length":{"alias":"iops_wr_max_length"},"iops_wr_max":{"type":"integer","optional":1},"iops_wr_max_length":{"type":"integer","optional":1,"minimum":1},"iothread":{"type":"boolean","optional":1},"mbps":{"type":"number","optional":1},"mbps_max":{"type":"number","optional":1},"mbps_rd":{"type":"number","optional":1},"mbps_rd_max":{"type":"number","optional":1},"mbps_wr":{"type":"number","optional":1},"mbps_wr_max":{"type":"number","optional":1},"media":{"optional":1,"enum":["cdrom","disk"]},"product":{"optional":1,"pattern":"[A-Za-z0-9\\-_\\s]{,16}"},"queues":{"type":"integer","optional":1,"minimum":2},"replicate":{"type":"boolean","optional":1},"rerror":{"optional":1,"enum":["ignore","report","stop"]},"ro":{"type":"boolean","optional":1},"scsiblock":{"type":"boolean","optional":1},"serial":{"optional":1,"maxLength":60,"format":"urlencoded"},"shared":{"type":"boolean","optional":1},"size":{"optional":1,"format":"disk-size"},"snapshot":{"type":"boolean","optional":1},"ssd":{"type":"boolean","optional":1},"vendor":{"optional":1,"pattern":"[A-Za-z0-9\\-_\\s]{,8}"},"volume":{"alias":"file"},"werror":{"optional":1,"enum":["enospc","ignore","report","stop"]},"wwn":{"optional":1,"pattern":"(?^:^(0x)[0-9a-fA-F]{16})"}}}
{"optional":1,"pattern":"(/dev/[^,]+|socket)"}
{"optional":1,"format":{"file":{"default_key":1,"format":"pve-volume-id-or-qm-path"},"format":{"optional":1,"enum":["raw","qcow2","vmdk"]},"import-from":{"optional":1,"format":"pve-volume-id-or-absolute-path"},"size":{"optional":1,"format":"disk-size"},"version":{"optional":1,"enum":["v1.2","v2.0"]},"volume":{"alias":"file"}}}
{"optional":1,"format":{"aio":{"optional":1,"enum":["native","threads","io_uring"]},"backup":{"type":"boolean","optional":1},"bps":{"type":"integer","optional":1},"bps_max_length":{"type":"integer","optional":1,"minimum":1},"bps_rd":{"type":"integer","optional":1},"bps_rd_length":{"alias":"bps_rd_max_length"},"bps_rd_max_length":{"type":"integer","optional":1,"minimum":1},"bps_wr":{"type":"integer","optional":1},"bps_wr_length":{"alias":"bps_wr_max_length"},"bps_wr_max_length":{"type":"integer","optional":1,"minimum":1},"cache":{"optional":1,"enum":["none","writethrough","writeback","unsafe","directsync"]},"detect_zeroes":{"type":"boolean","optional":1},"discard":{"optional":1,"enum":["ignore","on"]},"file":{"default_key":1,"format":"pve-volume-id-or-qm-path"},"format":{"optional":1,"enum":["raw","qcow","qed","qcow2","vmdk","cloop"]},"import-from":{"optional":1,"format":"pve-volume-id-or-absolute-path"},"iops":{"type":"integer","optional":1},"iops_max":{"type":"integer","optional":1},"iops_max_length":{"type":"integer","optional":1,"minimum":1},"iops_rd":{"type":"integer","optional":1},"iops_rd_length":{"alias":"iops_rd_max_length"},"iops_rd_max":{"type":"integer","optional":1},"iops_rd_max_length":{"type":"integer","optional":1,"minimum":1},"iops_wr":{"type":"integer","optional":1},"iops_wr_length":{"alias":"iops_wr_max_length"},"iops_wr_max":{"type":"integer","optional":1},"iops_wr_max_length":{"type":"integer","optional":1,"minimum":1},"iothread":{"type":"boolean","optional":1},"mbps":{"type":"number","optional":1},"mbps_max":{"type":"number","optional":1},"mbps_rd":{"type":"number","optional":1},"mbps_rd_max":{"type":"number","optional":1},"mbps_wr":{"type":"number","optional":1},"mbps_wr_max":{"type":"number","optional":1},"media":{"optional":1,"enum":["cdrom","disk"]},"replicate":{"type":"boolean","optional":1},"rerror":{"optional":1,"enum":["ignore","report","stop"]},"ro":{"type":"boolean","optional":1},"serial":{"optional":1,"maxLength":60,"format":"urlencoded"},"shared":{"type":"boolean","optional":1},"size":{"optional":1,"format":"disk-size"},"snapshot":{"type":"boolean","optional":1},"volume":{"alias":"file"},"werror":{"optional":1,"enum":["enospc","ignore","report","stop"]}}}
{"type":"array","items":{}}
{"type":"integer","optional":1,"minimum":1,"maximum":"16777216"}
{"optional":1,"pattern":"(?^:[^\\x00-\\x08\\x0a-\\x1F\\x7F]+)"}
{"optional":1,"pattern":"(?^:(?:\\w+=[^\\x00-\\x08\\x0a-\\x1F\\x7F]*)(?:\\0\\w+=[^\\x00-\\x08\\x0a-\\x1F\\x7F]*)*)"}
{"optional":1,"format":{"acl":{"type":"boolean","optional":1},"backup":{"type":"boolean","optional":1},"idmap":{"optional":1,"pattern":"(?^:^(?:passthrough|[ug]:[0-9]+:[0-9]+:[1-9][0-9]*(?:;[ug]:[0-9]+:[0-9]+:[1-9][0-9]*)*)$)"},"keepattrs":{"type":"boolean","optional":1},"mountoptions":{"optional":1,"pattern":"(?^:(?^:(discard|lazytime|noatime|nodev|noexec|nosuid))(;(?^:(discard|lazytime|noatime|nodev|noexec|nosuid)))*)"},"mp":{"format":"pve-lxc-mp-string"},"quota":{"type":"boolean","optional":1},"replicate":{"type":"boolean","optional":1},"ro":{"type":"boolean","optional":1},"shared":{"type":"boolean","optional":1},"size":{"optional":1,"format":"disk-size"},"volume":{"default_key":1,"format":"pve-lxc-mp-string"}}}
{"optional":1,"format":{"bridge":{"optional":1,"pattern":"[-_.\\w\\d]+"},"firewall":{"type":"boolean","optional":1},"gw":{"optional":1,"format":"ipv4"},"gw6":{"optional":1,"format":"ipv6"},"host-managed":{"type":"boolean","optional":1},"hwaddr":{"optional":1,"format":"mac-addr"},"ip":{"optional":1,"format":"pve-ipv4-config"},"ip6":{"optional":1,"format":"pve-ipv6-config"},"link_down":{"type":"boolean","optional":1},"mtu":{"type":"integer","optional":1,"minimum":64,"maximum":65535},"name":{"pattern":"[-_.\\w\\d]+"},"rate":{"type":"number","optional":1},"tag":{"type":"integer","optional":1,"minimum":1,"maximum":4094},"trunks":{"optional":1,"pattern":"(?^:\\d+(?:;\\d+)*)"},"type":{"optional":1,"enum":["veth"]}}}
{"optional":1,"format":{"acl":{"type":"boolean","optional":1},"idmap":{"optional":1,"pattern":"(?^:^(?:passthrough|[ug]:[0-9]+:[0-9]+:[1-9][0-9]*(?:;[ug]:[0-9]+:[0-9]+:[1-9][0-9]*)*)$)"},"mountoptions":{"optional":1,"pattern":"(?^:(?^:(discard|lazytime|noatime|nodev|noexec|nosuid))(;(?^:(discard|lazytime|noatime|nodev|noexec|nosuid)))*)"},"quota":{"type":"boolean","optional":1},"replicate":{"type":"boolean","optional":1},"ro":{"type":"boolean","optional":1},"shared":{"type":"boolean","optional":1},"size":{"optional":1,"format":"disk-size"},"volume":{"default_key":1,"format":"pve-lxc-mp-string"}}}
{"maxLength":32,"pattern":"\\s*pve([1248])([cbsp])-(arm-)?[0-9a-f]{10}\\s*"}
{"optional":1,"enum":["bridge","bond","eth","alias","vlan","fabric","OVSBridge","OVSBond","OVSPort","OVSIntPort","vnet","any_bridge","any_local_bridge","include_sdn"]}
{"enum":["bridge","bond","eth","alias","vlan","fabric","OVSBridge","OVSBond","OVSPort","OVSIntPort","vnet","unknown"]}
{"optional":1,"enum":["kvm","tcg"]}
{"optional":1,"enum":["acme","acmedomain0","acmedomain1","acmedomain2","acmedomain3","acmedomain4","acmedomain5","ballooning-target","description","location","startall-onboot-delay","wakeonlan"]}
{"enum":["hour","day","week","month","year","decade"]}
{"type":"integer","optional":1,"minimum":1,"maximum":64}
{"optional":1,"enum":["btrfs","cephfs","cifs","dir","esxi","iscsi","iscsidirect","lvm","lvmthin","nfs","pbs","rbd","zfs","zfspool"]}
{"optional":1,"format":"pve-storage-zfs-blocksize"}
{"type":"integer","optional":1,"enum":["1","2","4","8","16","32"]}
{"enum":["btrfs","cephfs","cifs","dir","esxi","iscsi","iscsidirect","lvm","lvmthin","nfs","pbs","rbd","zfs","zfspool"]}
`

/** A line each: the major version that has it (`*` for both), method, path, flags, who may call it, parameters with their rule. */
export const endpointLines = `
* DELETE /access/domains/{realm} - ["perm","/access/realm",["Realm.Allocate"]] realm:316
* DELETE /access/groups/{groupid} - ["perm","/access/groups",["Group.Allocate"]] groupid:302
* DELETE /access/roles/{roleid} - ["perm","/access",["Sys.Modify"]] roleid:304
* DELETE /access/users/{userid} - ["and",["userid-param","Realm.AllocateUser"],["userid-group",["User.Modify"]]] userid:299
* DELETE /access/users/{userid}/token/{tokenid} - ["or",["userid-param","self"],["userid-group",["User.Modify"]]] tokenid:301 userid:299
* DELETE /cluster/backup/{id} - ["perm","/",["Sys.Modify"]] id:65
* DELETE /cluster/config/nodes/{node} - "root@pam" node:14
* DELETE /cluster/firewall/aliases/{name} - ["perm","/",["Sys.Modify"]] digest:10 name:37
* DELETE /cluster/firewall/groups/{group} - ["perm","/",["Sys.Modify"]] group:22
* DELETE /cluster/firewall/groups/{group}/{pos} - ["perm","/",["Sys.Modify"]] digest:10 group:22 pos:17
* DELETE /cluster/firewall/ipset/{name} - ["perm","/",["Sys.Modify"]] force:1 name:37
* DELETE /cluster/firewall/ipset/{name}/{cidr} - ["perm","/",["Sys.Modify"]] cidr:39 digest:10 name:37
* DELETE /cluster/firewall/rules/{pos} - ["perm","/",["Sys.Modify"]] digest:10 pos:17
* DELETE /cluster/ha/groups/{group} - ["perm","/",["Sys.Console"]] group:69
9 DELETE /cluster/ha/resources/{sid} - ["perm","/",["Sys.Console"]] purge:1 sid:67
8 DELETE /cluster/ha/resources/{sid} - ["perm","/",["Sys.Console"]] sid:67
9 DELETE /cluster/ha/rules/{rule} - ["perm","/",["Sys.Console"]] rule:69
* DELETE /cluster/mapping/dir/{id} - ["perm","/mapping/dir",["Mapping.Modify"]] id:69
* DELETE /cluster/mapping/pci/{id} - ["perm","/mapping/pci",["Mapping.Modify"]] id:69
9 DELETE /cluster/replication/{id} - "all" force:1 id:2 keep:1
8 DELETE /cluster/replication/{id} - ["perm","/storage",["Datastore.Allocate"]] force:1 id:2 keep:1
9 DELETE /cluster/sdn/lock - ["perm","/sdn",["SDN.Allocate"]] force:1 lock-token:21
9 DELETE /cluster/sdn/vnets/{vnet} - "all" lock-token:21 vnet:349
8 DELETE /cluster/sdn/vnets/{vnet} - "all" vnet:79
9 DELETE /cluster/sdn/vnets/{vnet}/firewall/rules/{pos} - "all" digest:10 pos:17 vnet:349
8 DELETE /cluster/sdn/vnets/{vnet}/firewall/rules/{pos} - "all" digest:10 pos:17 vnet:79
9 DELETE /cluster/sdn/vnets/{vnet}/ips - ["perm","/sdn/zones/{zone}/{vnet}",["SDN.Allocate"]] ip:85 mac:86 vnet:349 zone:349
8 DELETE /cluster/sdn/vnets/{vnet}/ips - ["perm","/sdn/zones/{zone}/{vnet}",["SDN.Allocate"]] ip:85 mac:86 vnet:79 zone:87
9 DELETE /cluster/sdn/vnets/{vnet}/subnets/{subnet} - "all" lock-token:21 subnet:83 vnet:349
8 DELETE /cluster/sdn/vnets/{vnet}/subnets/{subnet} - "all" subnet:83 vnet:79
9 DELETE /cluster/sdn/zones/{zone} - ["perm","/sdn/zones/{zone}",["SDN.Allocate"]] lock-token:21 zone:349
8 DELETE /cluster/sdn/zones/{zone} - ["perm","/sdn/zones/{zone}",["SDN.Allocate"]] zone:87
* DELETE /nodes/{node}/firewall/rules/{pos} node ["perm","/nodes/{node}",["Sys.Modify"]] digest:10 node:14 pos:17
* DELETE /nodes/{node}/network node ["perm","/nodes/{node}",["Sys.Modify"]] node:14
* DELETE /nodes/{node}/network/{iface} node ["perm","/nodes/{node}",["Sys.Modify"]] iface:240 node:14
* DELETE /nodes/{node}/qemu/{vmid} node ["perm","/vms/{vmid}",["VM.Allocate"]] destroy-unreferenced-disks:1 node:14 purge:1 skiplock:1 vmid:172
* DELETE /nodes/{node}/qemu/{vmid}/firewall/aliases/{name} - ["perm","/vms/{vmid}",["VM.Config.Network"]] digest:10 name:37 node:14 vmid:172
* DELETE /nodes/{node}/qemu/{vmid}/firewall/ipset/{name} - ["perm","/vms/{vmid}",["VM.Config.Network"]] force:1 name:37 node:14 vmid:172
* DELETE /nodes/{node}/qemu/{vmid}/firewall/ipset/{name}/{cidr} - ["perm","/vms/{vmid}",["VM.Config.Network"]] cidr:39 digest:10 name:37 node:14 vmid:172
* DELETE /nodes/{node}/qemu/{vmid}/firewall/rules/{pos} - ["perm","/vms/{vmid}",["VM.Config.Network"]] digest:10 node:14 pos:17 vmid:172
* DELETE /nodes/{node}/qemu/{vmid}/snapshot/{snapname} node ["perm","/vms/{vmid}",["VM.Snapshot"]] force:1 node:14 snapname:201 vmid:172
* DELETE /nodes/{node}/storage/{storage}/content/{volume} node "all" delay:183 node:14 storage:64 volume:19
* DELETE /nodes/{node}/storage/{storage}/prunebackups node "all" node:14 prune-backups:62 storage:252 type:253 vmid:88
* DELETE /nodes/{node}/subscription node ["perm","/nodes/{node}",["Sys.Modify"]] node:14
* DELETE /nodes/{node}/tasks/{upid} node "all" node:14 upid:19
* DELETE /pools - ["perm","/pool/{poolid}",["Pool.Allocate"]] poolid:331
* DELETE /pools/{poolid} - ["perm","/pool/{poolid}",["Pool.Allocate"]] poolid:331
* DELETE /storage/{storage} - ["perm","/storage",["Datastore.Allocate"]] storage:252
* GET / - "all" 
* GET /access - "all" 
* GET /access/acl - "all" 
* GET /access/domains - "world" 
* GET /access/domains/{realm} - ["perm","/access/realm",["Realm.Allocate","Sys.Audit"],"any",1] realm:316
* GET /access/groups - "all" 
* GET /access/groups/{groupid} - ["perm","/access/groups",["Sys.Audit","Group.Allocate"],"any",1] groupid:302
* GET /access/permissions - "all" path:21 userid:330
* GET /access/roles - "all" 
* GET /access/roles/{roleid} - "all" roleid:304
* GET /access/ticket - "world" 
* GET /access/users - "all" enabled:1 full:1
* GET /access/users/{userid} - ["userid-group",["User.Modify","Sys.Audit"]] userid:299
* GET /access/users/{userid}/token - ["or",["userid-param","self"],["userid-group",["User.Modify"]]] userid:299
* GET /access/users/{userid}/token/{tokenid} - ["or",["userid-param","self"],["userid-group",["User.Modify"]]] tokenid:301 userid:299
* GET /cluster - "all" 
* GET /cluster/backup - ["perm","/",["Sys.Audit"]] 
* GET /cluster/backup-info - "root@pam" 
* GET /cluster/backup-info/not-backed-up - ["perm","/",["Sys.Audit"]] 
* GET /cluster/backup/{id} - ["perm","/",["Sys.Audit"]] id:65
* GET /cluster/backup/{id}/included_volumes - ["perm","/",["Sys.Audit"]] id:65
* GET /cluster/config - ["perm","/",["Sys.Audit"]] 
* GET /cluster/config/apiversion - ["perm","/",["Sys.Audit"]] 
* GET /cluster/config/join - ["perm","/",["Sys.Audit"]] node:6
* GET /cluster/config/nodes - ["perm","/",["Sys.Audit"]] 
* GET /cluster/firewall - "all" 
* GET /cluster/firewall/aliases - ["perm","/",["Sys.Audit"]] 
* GET /cluster/firewall/aliases/{name} - ["perm","/",["Sys.Audit"]] name:37
* GET /cluster/firewall/groups - "all" 
* GET /cluster/firewall/groups/{group} - ["perm","/",["Sys.Audit"]] group:22
* GET /cluster/firewall/groups/{group}/{pos} - ["perm","/",["Sys.Audit"]] group:22 pos:17
* GET /cluster/firewall/ipset - ["perm","/",["Sys.Audit"]] 
* GET /cluster/firewall/ipset/{name} - ["perm","/",["Sys.Audit"]] name:37
* GET /cluster/firewall/ipset/{name}/{cidr} - ["perm","/",["Sys.Audit"]] cidr:39 name:37
* GET /cluster/firewall/macros - "all" 
* GET /cluster/firewall/options - ["perm","/",["Sys.Audit"]] 
* GET /cluster/firewall/refs - ["perm","/",["Sys.Audit"]] type:44
* GET /cluster/firewall/rules - ["perm","/",["Sys.Audit"]] 
* GET /cluster/firewall/rules/{pos} - ["perm","/",["Sys.Audit"]] pos:17
* GET /cluster/ha - ["perm","/",["Sys.Audit"]] 
* GET /cluster/ha/groups - ["perm","/",["Sys.Audit"]] 
* GET /cluster/ha/groups/{group} - ["perm","/",["Sys.Audit"]] group:69
* GET /cluster/ha/resources - ["perm","/",["Sys.Audit"]] type:66
* GET /cluster/ha/resources/{sid} - ["perm","/",["Sys.Audit"]] sid:67
9 GET /cluster/ha/rules - ["perm","/",["Sys.Audit"]] resource:21 type:337
9 GET /cluster/ha/rules/{rule} - ["perm","/",["Sys.Audit"]] rule:69
* GET /cluster/ha/status - "all" 
* GET /cluster/ha/status/current - ["perm","/",["Sys.Audit"]] 
* GET /cluster/ha/status/manager_status - ["perm","/",["Sys.Audit"]] 
* GET /cluster/jobs - "all" 
* GET /cluster/log - "all" max:13
* GET /cluster/mapping - "all" 
* GET /cluster/mapping/dir - "all" check-node:6
* GET /cluster/mapping/dir/{id} - ["or",["perm","/mapping/dir/{id}",["Mapping.Use"]],["perm","/mapping/dir/{id}",["Mapping.Modify"]],["perm","/mapping/dir/{id}",["Mapping.Audit"]]] id:69
* GET /cluster/mapping/pci - "all" check-node:6
* GET /cluster/mapping/pci/{id} - ["or",["perm","/mapping/pci/{id}",["Mapping.Use"]],["perm","/mapping/pci/{id}",["Mapping.Modify"]],["perm","/mapping/pci/{id}",["Mapping.Audit"]]] id:69
* GET /cluster/metrics/server - ["perm","/",["Sys.Audit"]] 
* GET /cluster/nextid - "all" vmid:88
* GET /cluster/options - "all" 
* GET /cluster/replication - "all" 
* GET /cluster/replication/{id} - "all" id:2
* GET /cluster/resources - "all" type:97
* GET /cluster/sdn - ["perm","/sdn",["SDN.Audit"]] 
9 GET /cluster/sdn/dry-run node ["perm","/nodes/{node}",["Sys.Audit"]] node:14
* GET /cluster/sdn/vnets - "all" pending:1 running:1
9 GET /cluster/sdn/vnets/{vnet} - "all" pending:1 running:1 vnet:349
8 GET /cluster/sdn/vnets/{vnet} - "all" pending:1 running:1 vnet:79
9 GET /cluster/sdn/vnets/{vnet}/firewall - "root@pam" vnet:349
8 GET /cluster/sdn/vnets/{vnet}/firewall - "root@pam" vnet:79
9 GET /cluster/sdn/vnets/{vnet}/firewall/options - "all" vnet:349
8 GET /cluster/sdn/vnets/{vnet}/firewall/options - "all" vnet:79
9 GET /cluster/sdn/vnets/{vnet}/firewall/rules - "all" vnet:349
8 GET /cluster/sdn/vnets/{vnet}/firewall/rules - "all" vnet:79
9 GET /cluster/sdn/vnets/{vnet}/firewall/rules/{pos} - "all" pos:17 vnet:349
8 GET /cluster/sdn/vnets/{vnet}/firewall/rules/{pos} - "all" pos:17 vnet:79
9 GET /cluster/sdn/vnets/{vnet}/subnets - "all" pending:1 running:1 vnet:349
8 GET /cluster/sdn/vnets/{vnet}/subnets - "all" pending:1 running:1 vnet:79
9 GET /cluster/sdn/vnets/{vnet}/subnets/{subnet} - "all" pending:1 running:1 subnet:83 vnet:349
8 GET /cluster/sdn/vnets/{vnet}/subnets/{subnet} - "all" pending:1 running:1 subnet:83 vnet:79
* GET /cluster/sdn/zones - "all" pending:1 running:1 type:89
9 GET /cluster/sdn/zones/{zone} - ["perm","/sdn/zones/{zone}",["SDN.Allocate"]] pending:1 running:1 zone:349
8 GET /cluster/sdn/zones/{zone} - ["perm","/sdn/zones/{zone}",["SDN.Allocate"]] pending:1 running:1 zone:87
* GET /cluster/status - ["perm","/",["Sys.Audit"]] 
* GET /cluster/tasks - "all" 
* GET /nodes - "all" 
* GET /nodes/{node} - "all" node:14
* GET /nodes/{node}/aplinfo node "all" node:14
8 GET /nodes/{node}/capabilities - "all" node:14
9 GET /nodes/{node}/capabilities node "all" node:14
8 GET /nodes/{node}/capabilities/qemu - "all" node:14
9 GET /nodes/{node}/capabilities/qemu node "all" node:14
9 GET /nodes/{node}/capabilities/qemu/cpu - "all" arch:120 node:14
8 GET /nodes/{node}/capabilities/qemu/cpu - "all" node:14
9 GET /nodes/{node}/capabilities/qemu/cpu-flags - "all" accel:373 arch:120 node:14
9 GET /nodes/{node}/capabilities/qemu/machines node "all" arch:120 node:14
8 GET /nodes/{node}/capabilities/qemu/machines node "all" node:14
9 GET /nodes/{node}/capabilities/qemu/migration node ["perm","/nodes/{node}",["Sys.Audit"]] node:14
* GET /nodes/{node}/certificates/info node "all" node:14
8 GET /nodes/{node}/config node ["perm","/",["Sys.Audit"]] node:14 property:267
9 GET /nodes/{node}/config node ["perm","/",["Sys.Audit"]] node:14 property:374
* GET /nodes/{node}/disks/list node ["or",["perm","/",["Sys.Audit"]],["perm","/nodes/{node}",["Sys.Audit"]]] include-partitions:1 node:14 skipsmart:1 type:262
* GET /nodes/{node}/dns node ["perm","/nodes/{node}",["Sys.Audit"]] node:14
* GET /nodes/{node}/firewall - "all" node:14
* GET /nodes/{node}/firewall/log node ["perm","/nodes/{node}",["Sys.Syslog"]] limit:17 node:14 since:17 start:17 until:17
* GET /nodes/{node}/firewall/options node ["perm","/nodes/{node}",["Sys.Audit"]] node:14
* GET /nodes/{node}/firewall/rules node ["perm","/nodes/{node}",["Sys.Audit"]] node:14
* GET /nodes/{node}/firewall/rules/{pos} node ["perm","/nodes/{node}",["Sys.Audit"]] node:14 pos:17
* GET /nodes/{node}/hardware - "all" node:14
* GET /nodes/{node}/hardware/pci node ["perm","/",["Sys.Audit","Sys.Modify"],"any",1] node:14 pci-class-blacklist:249 verbose:1
* GET /nodes/{node}/hardware/pci/{pci-id-or-mapping} - "all" node:14 pci-id-or-mapping:250
* GET /nodes/{node}/hardware/pci/{pci-id-or-mapping}/mdev node ["perm","/",["Sys.Audit","Sys.Modify"],"any",1] node:14 pci-id-or-mapping:250
* GET /nodes/{node}/hosts node ["perm","/",["Sys.Audit"]] node:14
* GET /nodes/{node}/lxc node "all" node:14
* GET /nodes/{node}/lxc/{vmid}/config node ["perm","/vms/{vmid}",["VM.Audit"]] current:1 node:14 snapshot:182 vmid:172
* GET /nodes/{node}/netstat node ["perm","/nodes/{node}",["Sys.Audit"]] node:14
8 GET /nodes/{node}/network node "all" node:14 type:228
9 GET /nodes/{node}/network node "all" node:14 type:371
* GET /nodes/{node}/network/{iface} node ["perm","/nodes/{node}",["Sys.Audit"]] iface:240 node:14
* GET /nodes/{node}/qemu node "all" full:1 node:14
* GET /nodes/{node}/qemu/{vmid} node "all" node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/agent node+open "all" node:14 vmid:172
9 GET /nodes/{node}/qemu/{vmid}/agent/exec-status node ["perm","/vms/{vmid}",["VM.GuestAgent.Unrestricted"]] node:14 pid:177 vmid:172
8 GET /nodes/{node}/qemu/{vmid}/agent/exec-status node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 pid:177 vmid:172
9 GET /nodes/{node}/qemu/{vmid}/agent/file-read node ["perm","/vms/{vmid}",["VM.GuestAgent.FileRead","VM.GuestAgent.Unrestricted"],"any",1] count:364 decode:1 file:19 node:14 offset:17 vmid:172
8 GET /nodes/{node}/qemu/{vmid}/agent/file-read node ["perm","/vms/{vmid}",["VM.Monitor"]] file:19 node:14 vmid:172
9 GET /nodes/{node}/qemu/{vmid}/agent/get-fsinfo node ["perm","/vms/{vmid}",["VM.GuestAgent.Audit","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 GET /nodes/{node}/qemu/{vmid}/agent/get-fsinfo node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 GET /nodes/{node}/qemu/{vmid}/agent/get-host-name node ["perm","/vms/{vmid}",["VM.GuestAgent.Audit","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 GET /nodes/{node}/qemu/{vmid}/agent/get-host-name node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 GET /nodes/{node}/qemu/{vmid}/agent/get-memory-block-info node ["perm","/vms/{vmid}",["VM.GuestAgent.Audit","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 GET /nodes/{node}/qemu/{vmid}/agent/get-memory-block-info node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 GET /nodes/{node}/qemu/{vmid}/agent/get-memory-blocks node ["perm","/vms/{vmid}",["VM.GuestAgent.Audit","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 GET /nodes/{node}/qemu/{vmid}/agent/get-memory-blocks node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 GET /nodes/{node}/qemu/{vmid}/agent/get-osinfo node ["perm","/vms/{vmid}",["VM.GuestAgent.Audit","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 GET /nodes/{node}/qemu/{vmid}/agent/get-osinfo node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 GET /nodes/{node}/qemu/{vmid}/agent/get-time node ["perm","/vms/{vmid}",["VM.GuestAgent.Audit","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 GET /nodes/{node}/qemu/{vmid}/agent/get-time node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 GET /nodes/{node}/qemu/{vmid}/agent/get-timezone node ["perm","/vms/{vmid}",["VM.GuestAgent.Audit","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 GET /nodes/{node}/qemu/{vmid}/agent/get-timezone node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 GET /nodes/{node}/qemu/{vmid}/agent/get-users node ["perm","/vms/{vmid}",["VM.GuestAgent.Audit","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 GET /nodes/{node}/qemu/{vmid}/agent/get-users node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 GET /nodes/{node}/qemu/{vmid}/agent/get-vcpus node ["perm","/vms/{vmid}",["VM.GuestAgent.Audit","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 GET /nodes/{node}/qemu/{vmid}/agent/get-vcpus node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 GET /nodes/{node}/qemu/{vmid}/agent/info node ["perm","/vms/{vmid}",["VM.GuestAgent.Audit","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 GET /nodes/{node}/qemu/{vmid}/agent/info node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 GET /nodes/{node}/qemu/{vmid}/agent/network-get-interfaces node ["perm","/vms/{vmid}",["VM.GuestAgent.Audit","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 GET /nodes/{node}/qemu/{vmid}/agent/network-get-interfaces node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/cloudinit node ["perm","/vms/{vmid}",["VM.Audit"]] node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/cloudinit/dump node ["perm","/vms/{vmid}",["VM.Audit"]] node:14 type:186 vmid:172
* GET /nodes/{node}/qemu/{vmid}/config node ["perm","/vms/{vmid}",["VM.Audit"]] current:1 node:14 snapshot:182 vmid:172
* GET /nodes/{node}/qemu/{vmid}/feature node ["perm","/vms/{vmid}",["VM.Audit"]] feature:195 node:14 snapname:182 vmid:172
* GET /nodes/{node}/qemu/{vmid}/firewall - "all" node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/firewall/aliases - ["perm","/vms/{vmid}",["VM.Audit"]] node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/firewall/aliases/{name} - ["perm","/vms/{vmid}",["VM.Audit"]] name:37 node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/firewall/ipset - ["perm","/vms/{vmid}",["VM.Audit"]] node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/firewall/ipset/{name} - ["perm","/vms/{vmid}",["VM.Audit"]] name:37 node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/firewall/ipset/{name}/{cidr} - ["perm","/vms/{vmid}",["VM.Audit"]] cidr:39 name:37 node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/firewall/log node ["perm","/vms/{vmid}",["VM.Console"]] limit:17 node:14 since:17 start:17 until:17 vmid:172
* GET /nodes/{node}/qemu/{vmid}/firewall/options node ["perm","/vms/{vmid}",["VM.Audit"]] node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/firewall/refs - ["perm","/vms/{vmid}",["VM.Audit"]] node:14 type:44 vmid:172
* GET /nodes/{node}/qemu/{vmid}/firewall/rules - ["perm","/vms/{vmid}",["VM.Audit"]] node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/firewall/rules/{pos} - ["perm","/vms/{vmid}",["VM.Audit"]] node:14 pos:17 vmid:172
* GET /nodes/{node}/qemu/{vmid}/migrate node ["perm","/vms/{vmid}",["VM.Migrate"]] node:14 target:6 vmid:172
* GET /nodes/{node}/qemu/{vmid}/pending node ["perm","/vms/{vmid}",["VM.Audit"]] node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/rrd - ["perm","/vms/{vmid}",["VM.Audit"]] cf:179 ds:180 node:14 timeframe:181 vmid:172
* GET /nodes/{node}/qemu/{vmid}/rrddata - ["perm","/vms/{vmid}",["VM.Audit"]] cf:179 node:14 timeframe:181 vmid:172
* GET /nodes/{node}/qemu/{vmid}/snapshot node ["perm","/vms/{vmid}",["VM.Audit"]] node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/snapshot/{snapname} - "all" node:14 snapname:201 vmid:172
* GET /nodes/{node}/qemu/{vmid}/snapshot/{snapname}/config node ["perm","/vms/{vmid}",["VM.Snapshot","VM.Snapshot.Rollback","VM.Audit"],"any",1] node:14 snapname:201 vmid:172
* GET /nodes/{node}/qemu/{vmid}/status node "all" node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/status/current node ["perm","/vms/{vmid}",["VM.Audit"]] node:14 vmid:172
* GET /nodes/{node}/qemu/{vmid}/vncwebsocket - ["perm","/vms/{vmid}",["VM.Console"]] node:14 port:188 vmid:172 vncticket:189
* GET /nodes/{node}/query-url-metadata node ["or",["perm","/",["Sys.Audit","Sys.Modify"]],["perm","/nodes/{node}",["Sys.AccessNetwork"]]] node:14 url:261 verify-certificates:1
8 GET /nodes/{node}/rrddata - ["perm","/nodes/{node}",["Sys.Audit"]] cf:179 node:14 timeframe:181
9 GET /nodes/{node}/rrddata - ["perm","/nodes/{node}",["Sys.Audit"]] cf:179 node:14 timeframe:375
* GET /nodes/{node}/sdn/zones node "all" node:14
* GET /nodes/{node}/status node ["perm","/nodes/{node}",["Sys.Audit"]] node:14
* GET /nodes/{node}/storage node "all" content:251 enabled:1 format:1 node:14 storage:64 target:6
* GET /nodes/{node}/storage/{storage} - ["perm","/storage/{storage}",["Datastore.Audit","Datastore.AllocateSpace"],"any",1] node:14 storage:252
* GET /nodes/{node}/storage/{storage}/content node ["perm","/storage/{storage}",["Datastore.Audit","Datastore.AllocateSpace"],"any",1] content:254 node:14 storage:252 vmid:88
* GET /nodes/{node}/storage/{storage}/content/{volume} node "all" node:14 storage:64 volume:19
* GET /nodes/{node}/storage/{storage}/file-restore/download node "all" filepath:19 node:14 storage:252 tar:1 volume:19
* GET /nodes/{node}/storage/{storage}/file-restore/list node "all" filepath:19 node:14 storage:252 volume:19
9 GET /nodes/{node}/storage/{storage}/identity node ["perm","/storage/{storage}",["Datastore.Audit","Datastore.AllocateSpace"],"any",1] node:14 storage:252
* GET /nodes/{node}/storage/{storage}/import-metadata node "all" node:14 storage:252 volume:19
* GET /nodes/{node}/storage/{storage}/prunebackups node ["perm","/storage/{storage}",["Datastore.Audit","Datastore.AllocateSpace"],"any",1] node:14 prune-backups:62 storage:252 type:253 vmid:88
* GET /nodes/{node}/storage/{storage}/rrd node ["perm","/storage/{storage}",["Datastore.Audit","Datastore.AllocateSpace"],"any",1] cf:179 ds:180 node:14 storage:252 timeframe:181
* GET /nodes/{node}/storage/{storage}/rrddata node ["perm","/storage/{storage}",["Datastore.Audit","Datastore.AllocateSpace"],"any",1] cf:179 node:14 storage:252 timeframe:181
* GET /nodes/{node}/storage/{storage}/status node ["perm","/storage/{storage}",["Datastore.Audit","Datastore.AllocateSpace"],"any",1] node:14 storage:252
* GET /nodes/{node}/subscription node "all" node:14
* GET /nodes/{node}/syslog node ["perm","/nodes/{node}",["Sys.Syslog"]] limit:17 node:14 service:30 since:274 start:17 until:274
* GET /nodes/{node}/tasks node "all" errors:1 limit:17 node:14 since:15 source:247 start:17 statusfilter:248 typefilter:21 until:15 userfilter:21 vmid:88
* GET /nodes/{node}/tasks/{upid} - "all" node:14 upid:19
* GET /nodes/{node}/tasks/{upid}/log node "all" download:1 limit:17 node:14 start:17 upid:19
* GET /nodes/{node}/tasks/{upid}/status node "all" node:14 upid:19
* GET /nodes/{node}/time node ["perm","/nodes/{node}",["Sys.Audit"]] node:14
* GET /nodes/{node}/version node "all" node:14
* GET /nodes/{node}/vzdump/defaults node "all" node:14 storage:64
* GET /nodes/{node}/vzdump/extractconfig node "all" node:14 volume:19
* GET /pools - "all" poolid:152 type:332
* GET /pools/{poolid} - ["perm","/pool/{poolid}",["Pool.Audit"]] poolid:331 type:334
8 GET /storage - "all" type:276
9 GET /storage - "all" type:377
* GET /storage/{storage} - ["perm","/storage/{storage}",["Datastore.Allocate"]] storage:252
* GET /version - "all" 
9 POST /access/domains - ["perm","/access/realm",["Realm.Allocate"]] acr-values:309 audiences:309 autocreate:1 base_dn:278 bind_dn:278 capath:21 case-sensitive:1 cert:21 certkey:21 check-connection:1 client-id:278 client-key:278 comment:0 default:1 domain:310 filter:294 group_classes:311 group_dn:278 group_filter:294 group_name_attr:312 groups-autocreate:1 groups-claim:313 groups-overwrite:1 issuer-url:278 mode:314 password:21 port:285 prompt:315 query-userinfo:1 realm:316 scopes:21 secure:1 server1:317 server2:317 sslversion:318 sync-defaults-options:319 sync_attributes:320 tfa:321 type:322 user_attr:323 user_classes:311 username-claim:21 verify:1
8 POST /access/domains - ["perm","/access/realm",["Realm.Allocate"]] acr-values:309 autocreate:1 base_dn:278 bind_dn:278 capath:21 case-sensitive:1 cert:21 certkey:21 check-connection:1 client-id:278 client-key:278 comment:0 default:1 domain:310 filter:294 group_classes:311 group_dn:278 group_filter:294 group_name_attr:312 groups-autocreate:1 groups-claim:313 groups-overwrite:1 issuer-url:278 mode:314 password:21 port:285 prompt:315 query-userinfo:1 realm:316 scopes:21 secure:1 server1:317 server2:317 sslversion:318 sync-defaults-options:319 sync_attributes:320 tfa:321 type:322 user_attr:323 user_classes:311 username-claim:21 verify:1
* POST /access/groups - ["perm","/access/groups",["Group.Allocate"]] comment:21 groupid:302
* POST /access/roles - ["perm","/access",["Sys.Modify"]] privs:303 roleid:304
* POST /access/ticket ticket "world" new-format:1 otp:21 password:19 path:324 privs:325 realm:326 tfa-challenge:21 username:327
* POST /access/users - ["and",["userid-param","Realm.AllocateUser"],["userid-group",["User.Modify"],"groups_param","create"]] comment:294 email:295 enable:1 expire:17 firstname:244 groups:296 keys:297 lastname:244 password:298 userid:299
* POST /access/users/{userid}/token/{tokenid} - ["or",["userid-param","self"],["userid-group",["User.Modify"]]] comment:21 expire:17 privsep:1 tokenid:301 userid:299
8 POST /cluster/backup - ["perm","/",["Sys.Modify"]] all:1 bwlimit:17 comment:45 compress:46 dow:47 dumpdir:21 enabled:1 exclude:48 exclude-path:49 fleecing:50 id:51 ionice:52 lockwait:17 mailnotification:53 mailto:54 maxfiles:13 mode:55 node:6 notes-template:56 notification-mode:57 notification-policy:58 notification-target:51 pbs-change-detection-mode:59 performance:60 pigz:15 pool:21 protected:61 prune-backups:62 quiet:1 remove:1 repeat-missed:1 schedule:5 script:21 starttime:63 stdexcludes:1 stop:1 stopwait:17 storage:64 tmpdir:21 vmid:48 zstd:15
9 POST /cluster/backup - ["perm","/",["Sys.Modify"]] all:1 bwlimit:17 comment:45 compress:46 dow:47 dumpdir:21 enabled:1 exclude:48 exclude-path:49 fleecing:50 id:51 ionice:52 lockwait:17 mailnotification:53 mailto:54 mode:55 node:6 notes-template:56 notification-mode:57 pbs-change-detection-mode:59 performance:60 pigz:15 pool:21 protected:61 prune-backups:62 quiet:1 remove:1 repeat-missed:1 schedule:5 script:21 starttime:63 stdexcludes:1 stop:1 stopwait:17 storage:64 tmpdir:21 vmid:48 zstd:15
9 POST /cluster/config - "root@pam" clustername:11 link[n]:12 nodeid:13 token-coefficient:17 votes:13
8 POST /cluster/config - "root@pam" clustername:11 link[n]:12 nodeid:13 votes:13
* POST /cluster/config/join - "root@pam" fingerprint:18 force:1 hostname:19 link[n]:12 nodeid:13 password:20 votes:17
* POST /cluster/config/nodes/{node} - "root@pam" apiversion:15 force:1 link[n]:12 new_node_ip:16 node:14 nodeid:13 votes:17
* POST /cluster/firewall/aliases - ["perm","/",["Sys.Modify"]] cidr:40 comment:21 name:37
* POST /cluster/firewall/groups - ["perm","/",["Sys.Modify"]] comment:21 digest:10 group:22 rename:23
* POST /cluster/firewall/groups/{group} - ["perm","/",["Sys.Modify"]] action:24 comment:21 dest:25 digest:10 dport:26 enable:17 group:22 icmp-type:27 iface:28 log:29 macro:30 pos:17 proto:31 source:25 sport:32 type:33
* POST /cluster/firewall/ipset - ["perm","/",["Sys.Modify"]] comment:21 digest:10 name:37 rename:38
* POST /cluster/firewall/ipset/{name} - ["perm","/",["Sys.Modify"]] cidr:39 comment:21 name:37 nomatch:1
* POST /cluster/firewall/rules - ["perm","/",["Sys.Modify"]] action:24 comment:21 dest:25 digest:10 dport:26 enable:17 icmp-type:27 iface:28 log:29 macro:30 pos:17 proto:31 source:25 sport:32 type:33
9 POST /cluster/ha/groups - ["perm","/",["Sys.Console"]] comment:0 group:69 nodes:335 nofailback:1 restricted:1 type:71
8 POST /cluster/ha/groups - ["perm","/",["Sys.Console"]] comment:0 group:69 nodes:70 nofailback:1 restricted:1 type:71
9 POST /cluster/ha/resources - ["perm","/",["Sys.Console"]] comment:0 failback:1 group:51 max_relocate:17 max_restart:17 sid:67 state:68 type:66
8 POST /cluster/ha/resources - ["perm","/",["Sys.Console"]] comment:0 group:51 max_relocate:17 max_restart:17 sid:67 state:68 type:66
* POST /cluster/ha/resources/{sid}/migrate - ["perm","/",["Sys.Console"]] node:14 sid:67
* POST /cluster/ha/resources/{sid}/relocate - ["perm","/",["Sys.Console"]] node:14 sid:67
9 POST /cluster/ha/rules - ["perm","/",["Sys.Console"]] rule:338 type:339 comment:0 disable:1 nodes:340 resources:341 strict:342 affinity:343
9 POST /cluster/ha/status/disarm-ha - ["perm","/",["Sys.Console"]] resource-mode:347
* POST /cluster/mapping/dir - ["perm","/mapping/dir",["Mapping.Modify"]] description:0 id:69 map:73
* POST /cluster/mapping/pci - ["perm","/mapping/pci",["Mapping.Modify"]] description:0 id:69 live-migration-capable:1 map:75 mdev:1
9 POST /cluster/replication - "all" comment:0 disable:1 id:2 rate:3 remove_job:4 schedule:5 source:6 target:7 type:8
8 POST /cluster/replication - ["perm","/storage",["Datastore.Allocate"]] comment:0 disable:1 id:2 rate:3 remove_job:4 schedule:5 source:6 target:7 type:8
9 POST /cluster/sdn/lock - ["perm","/sdn",["SDN.Allocate"]] allow-pending:1
9 POST /cluster/sdn/rollback - ["perm","/sdn",["SDN.Allocate"]] lock-token:21 release-lock:1
9 POST /cluster/sdn/vnets - ["perm","/sdn/zones/{zone}",["SDN.Allocate"]] alias:77 isolate-ports:1 lock-token:21 tag:348 type:78 vlanaware:1 vnet:349 zone:80
8 POST /cluster/sdn/vnets - ["perm","/sdn/zones/{zone}",["SDN.Allocate"]] alias:77 isolate-ports:1 tag:15 type:78 vlanaware:1 vnet:79 zone:80
9 POST /cluster/sdn/vnets/{vnet}/firewall/rules - "all" action:24 comment:21 dest:25 digest:10 dport:26 enable:17 icmp-type:27 iface:28 log:29 macro:30 pos:17 proto:31 source:25 sport:32 type:33 vnet:349
8 POST /cluster/sdn/vnets/{vnet}/firewall/rules - "all" action:24 comment:21 dest:25 digest:10 dport:26 enable:17 icmp-type:27 iface:28 log:29 macro:30 pos:17 proto:31 source:25 sport:32 type:33 vnet:79
9 POST /cluster/sdn/vnets/{vnet}/ips - ["perm","/sdn/zones/{zone}/{vnet}",["SDN.Allocate"]] ip:85 mac:86 vnet:349 zone:349
8 POST /cluster/sdn/vnets/{vnet}/ips - ["perm","/sdn/zones/{zone}/{vnet}",["SDN.Allocate"]] ip:85 mac:86 vnet:79 zone:87
9 POST /cluster/sdn/vnets/{vnet}/subnets - "all" dhcp-dns-server:16 dhcp-range:81 dnszoneprefix:82 gateway:16 lock-token:21 snat:1 subnet:83 type:84 vnet:80
8 POST /cluster/sdn/vnets/{vnet}/subnets - "all" dhcp-dns-server:16 dhcp-range:81 dnszoneprefix:82 gateway:16 snat:1 subnet:83 type:84 vnet:80
9 POST /cluster/sdn/zones - ["perm","/sdn/zones",["SDN.Allocate"]] advertise-subnets:1 bridge:21 bridge-disable-mac-learning:1 controller:21 dhcp:90 disable-arp-nd-suppression:1 dns:21 dnszone:82 dp-id:15 exitnodes:91 exitnodes-local-routing:1 exitnodes-primary:6 fabric:350 ipam:21 lock-token:21 mac:86 mtu:15 nodes:91 peers:92 reversedns:21 rt-import:93 tag:17 type:94 vlan-protocol:95 vrf-vxlan:348 vxlan-port:96 zone:349
8 POST /cluster/sdn/zones - ["perm","/sdn/zones",["SDN.Allocate"]] advertise-subnets:1 bridge:21 bridge-disable-mac-learning:1 controller:21 dhcp:90 disable-arp-nd-suppression:1 dns:21 dnszone:82 dp-id:15 exitnodes:91 exitnodes-local-routing:1 exitnodes-primary:6 ipam:21 mac:86 mtu:15 nodes:91 peers:92 reversedns:21 rt-import:93 tag:17 type:94 vlan-protocol:95 vrf-vxlan:15 vxlan-port:96 zone:87
* POST /nodes/{node}/aplinfo node ["perm","/storage/{storage}",["Datastore.AllocateTemplate"]] node:14 storage:252 template:217
* POST /nodes/{node}/firewall/rules node ["perm","/nodes/{node}",["Sys.Modify"]] action:24 comment:21 dest:25 digest:10 dport:26 enable:17 icmp-type:27 iface:28 log:29 macro:30 node:14 pos:17 proto:31 source:25 sport:32 type:33
* POST /nodes/{node}/hosts node ["perm","/nodes/{node}",["Sys.Modify"]] data:19 digest:10 node:14
9 POST /nodes/{node}/lxc node "all" arch:203 bwlimit:204 cmode:205 console:1 cores:206 cpulimit:207 cpuunits:208 debug:1 description:133 dev[n]:209 entrypoint:365 env:366 features:210 force:1 ha-managed:1 hookscript:136 hostname:211 ignore-unpack-errors:1 lock:212 memory:213 mp[n]:367 nameserver:215 net[n]:368 node:14 onboot:1 ostemplate:217 ostype:218 password:219 pool:152 protection:1 restore:1 rootfs:369 searchdomain:221 ssh-public-keys:21 start:1 startup:163 storage:64 swap:17 tags:164 template:1 timezone:222 tty:223 unique:224 unprivileged:1 unused[n]:225 vmid:172
8 POST /nodes/{node}/lxc node "all" arch:203 bwlimit:204 cmode:205 console:1 cores:206 cpulimit:207 cpuunits:208 debug:1 description:133 dev[n]:209 features:210 force:1 hookscript:136 hostname:211 ignore-unpack-errors:1 lock:212 memory:213 mp[n]:214 nameserver:215 net[n]:216 node:14 onboot:1 ostemplate:217 ostype:218 password:219 pool:152 protection:1 restore:1 rootfs:220 searchdomain:221 ssh-public-keys:21 start:1 startup:163 storage:64 swap:17 tags:164 template:1 timezone:222 tty:223 unique:224 unprivileged:1 unused[n]:225 vmid:172
8 POST /nodes/{node}/network node ["perm","/nodes/{node}",["Sys.Modify"]] address:229 address6:230 autostart:1 bond-primary:231 bond_mode:232 bond_xmit_hash_policy:233 bridge_ports:234 bridge_vids:235 bridge_vlan_aware:1 cidr:236 cidr6:237 comments:21 comments6:21 gateway:238 gateway6:239 iface:240 mtu:241 netmask:242 netmask6:243 node:14 ovs_bonds:234 ovs_bridge:231 ovs_options:244 ovs_ports:234 ovs_tag:245 slaves:234 type:246 vlan-id:245 vlan-raw-device:231
9 POST /nodes/{node}/network node ["perm","/nodes/{node}",["Sys.Modify"]] address:229 address6:230 autostart:1 bond-primary:231 bond_mode:232 bond_xmit_hash_policy:233 bridge_ports:234 bridge_vids:235 bridge_vlan_aware:1 cidr:236 cidr6:237 comments:21 comments6:21 gateway:238 gateway6:239 iface:240 mtu:241 netmask:242 netmask6:243 node:14 ovs_bonds:234 ovs_bridge:231 ovs_options:244 ovs_ports:234 ovs_tag:245 slaves:234 type:372 vlan-id:245 vlan-raw-device:231
8 POST /nodes/{node}/qemu node "all" acpi:1 affinity:117 agent:118 amd-sev:119 arch:120 archive:121 args:21 audio0:122 autostart:1 balloon:17 bios:123 boot:124 bootdisk:125 bwlimit:126 cdrom:127 cicustom:128 cipassword:21 citype:129 ciupgrade:1 ciuser:21 cores:13 cpu:130 cpulimit:131 cpuunits:132 description:133 efidisk0:134 force:135 freeze:1 hookscript:136 hostpci[n]:137 hotplug:138 hugepages:139 ide[n]:140 import-working-storage:64 ipconfig[n]:141 ivshmem:142 keephugepages:1 keyboard:106 kvm:1 live-restore:1 localtime:1 lock:143 machine:144 memory:145 migrate_downtime:146 migrate_speed:17 name:82 nameserver:147 net[n]:148 node:14 numa:1 numa[n]:149 onboot:1 ostype:150 parallel[n]:151 pool:152 protection:1 reboot:1 rng0:153 sata[n]:154 scsi[n]:155 scsihw:156 searchdomain:21 serial[n]:157 shares:158 smbios1:159 smp:13 sockets:13 spice_enhancements:160 sshkeys:161 start:1 startdate:162 startup:163 storage:64 tablet:1 tags:164 tdf:1 template:1 tpmstate0:165 unique:135 unused[n]:166 usb[n]:167 vcpus:13 vga:168 virtio[n]:169 virtiofs[n]:170 vmgenid:171 vmid:172 vmstatestorage:64 watchdog:173
9 POST /nodes/{node}/qemu node "all" acpi:1 affinity:117 agent:353 allow-ksm:1 amd-sev:119 arch:120 archive:121 args:21 audio0:122 autostart:1 balloon:17 bios:123 boot:124 bootdisk:125 bwlimit:126 cdrom:127 cicustom:128 cipassword:21 citype:129 ciupgrade:1 ciuser:21 cores:13 cpu:130 cpulimit:131 cpuunits:132 description:133 efidisk0:134 force:135 freeze:1 ha-managed:1 hookscript:136 hostpci[n]:137 hotplug:138 hugepages:139 ide[n]:354 import-working-storage:64 intel-tdx:355 ipconfig[n]:141 ivshmem:142 keephugepages:1 keyboard:106 kvm:1 live-restore:1 localtime:1 lock:143 machine:356 memory:145 migrate_downtime:146 migrate_speed:17 name:82 nameserver:147 net[n]:357 node:14 numa:1 numa[n]:149 onboot:1 ostype:150 parallel[n]:151 pool:152 protection:1 reboot:1 rng0:153 sata[n]:358 scsi[n]:359 scsihw:156 searchdomain:21 serial[n]:360 shares:158 smbios1:159 smp:13 sockets:13 spice_enhancements:160 sshkeys:161 start:1 startdate:162 startup:163 storage:64 tablet:1 tags:164 tdf:1 template:1 tpmstate0:361 unique:135 unused[n]:166 usb[n]:167 vcpus:13 vga:168 virtio[n]:362 virtiofs[n]:170 vmgenid:171 vmid:172 vmstatestorage:64 watchdog:173
9 POST /nodes/{node}/qemu/{vmid}/agent node ["perm","/vms/{vmid}",["VM.GuestAgent.Unrestricted","VM.GuestAgent.Unrestricted"],"any",1] command:174 node:14 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/agent node ["perm","/vms/{vmid}",["VM.Monitor"]] command:174 node:14 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/agent/exec node ["perm","/vms/{vmid}",["VM.GuestAgent.Unrestricted"]] command:363 input-data:99 node:14 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/agent/exec node ["perm","/vms/{vmid}",["VM.Monitor"]] command:176 input-data:99 node:14 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/agent/file-write node ["perm","/vms/{vmid}",["VM.GuestAgent.FileWrite","VM.GuestAgent.Unrestricted"],"any",1] content:178 encode:1 file:19 node:14 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/agent/file-write node ["perm","/vms/{vmid}",["VM.Monitor"]] content:178 encode:1 file:19 node:14 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/agent/fsfreeze-freeze node ["perm","/vms/{vmid}",["VM.GuestAgent.FileSystemMgmt","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/agent/fsfreeze-freeze node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/agent/fsfreeze-status node ["perm","/vms/{vmid}",["VM.GuestAgent.Audit","VM.GuestAgent.FileSystemMgmt","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/agent/fsfreeze-status node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/agent/fsfreeze-thaw node ["perm","/vms/{vmid}",["VM.GuestAgent.FileSystemMgmt","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/agent/fsfreeze-thaw node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/agent/fstrim node ["perm","/vms/{vmid}",["VM.GuestAgent.FileSystemMgmt","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/agent/fstrim node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/agent/ping node ["perm","/vms/{vmid}",["VM.GuestAgent.Audit","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/agent/ping node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/agent/set-user-password node ["perm","/vms/{vmid}",["VM.GuestAgent.Unrestricted"]] crypted:1 node:14 password:175 username:19 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/agent/set-user-password node ["perm","/vms/{vmid}",["VM.Monitor"]] crypted:1 node:14 password:175 username:19 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/agent/shutdown node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/agent/shutdown node ["perm","/vms/{vmid}",["VM.PowerMgmt","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/agent/suspend-disk node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/agent/suspend-disk node ["perm","/vms/{vmid}",["VM.PowerMgmt","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/agent/suspend-hybrid node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/agent/suspend-hybrid node ["perm","/vms/{vmid}",["VM.PowerMgmt","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/agent/suspend-ram node ["perm","/vms/{vmid}",["VM.Monitor"]] node:14 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/agent/suspend-ram node ["perm","/vms/{vmid}",["VM.PowerMgmt","VM.GuestAgent.Unrestricted"],"any",1] node:14 vmid:172
* POST /nodes/{node}/qemu/{vmid}/clone node ["and",["perm","/vms/{vmid}",["VM.Clone"]],["or",["perm","/vms/{newid}",["VM.Allocate"]],["perm","/pool/{pool}",["VM.Allocate"],"require_param","pool"]]] bwlimit:126 description:21 format:196 full:1 name:82 newid:172 node:14 pool:152 snapname:182 storage:64 target:6 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/config node ["perm","/vms/{vmid}",["VM.Config.Disk","VM.Config.CDROM","VM.Config.CPU","VM.Config.Memory","VM.Config.Network","VM.Config.HWType","VM.Config.Options","VM.Config.Cloudinit"],"any",1] acpi:1 affinity:117 agent:118 amd-sev:119 arch:120 args:21 audio0:122 autostart:1 background_delay:183 balloon:17 bios:123 boot:124 bootdisk:125 cdrom:127 cicustom:128 cipassword:21 citype:129 ciupgrade:1 ciuser:21 cores:13 cpu:130 cpulimit:131 cpuunits:132 delete:35 description:133 digest:184 efidisk0:134 force:185 freeze:1 hookscript:136 hostpci[n]:137 hotplug:138 hugepages:139 ide[n]:140 import-working-storage:64 ipconfig[n]:141 ivshmem:142 keephugepages:1 keyboard:106 kvm:1 localtime:1 lock:143 machine:144 memory:145 migrate_downtime:146 migrate_speed:17 name:82 nameserver:147 net[n]:148 node:14 numa:1 numa[n]:149 onboot:1 ostype:150 parallel[n]:151 protection:1 reboot:1 revert:35 rng0:153 sata[n]:154 scsi[n]:155 scsihw:156 searchdomain:21 serial[n]:157 shares:158 skiplock:1 smbios1:159 smp:13 sockets:13 spice_enhancements:160 sshkeys:161 startdate:162 startup:163 tablet:1 tags:164 tdf:1 template:1 tpmstate0:165 unused[n]:166 usb[n]:167 vcpus:13 vga:168 virtio[n]:169 virtiofs[n]:170 vmgenid:171 vmid:172 vmstatestorage:64 watchdog:173
9 POST /nodes/{node}/qemu/{vmid}/config node ["perm","/vms/{vmid}",["VM.Config.Disk","VM.Config.CDROM","VM.Config.CPU","VM.Config.Memory","VM.Config.Network","VM.Config.HWType","VM.Config.Options","VM.Config.Cloudinit"],"any",1] acpi:1 affinity:117 agent:353 allow-ksm:1 amd-sev:119 arch:120 args:21 audio0:122 autostart:1 background_delay:183 balloon:17 bios:123 boot:124 bootdisk:125 cdrom:127 cicustom:128 cipassword:21 citype:129 ciupgrade:1 ciuser:21 cores:13 cpu:130 cpulimit:131 cpuunits:132 delete:35 description:133 digest:184 efidisk0:134 force:185 freeze:1 hookscript:136 hostpci[n]:137 hotplug:138 hugepages:139 ide[n]:354 import-working-storage:64 intel-tdx:355 ipconfig[n]:141 ivshmem:142 keephugepages:1 keyboard:106 kvm:1 localtime:1 lock:143 machine:356 memory:145 migrate_downtime:146 migrate_speed:17 name:82 nameserver:147 net[n]:357 node:14 numa:1 numa[n]:149 onboot:1 ostype:150 parallel[n]:151 protection:1 reboot:1 revert:35 rng0:153 sata[n]:358 scsi[n]:359 scsihw:156 searchdomain:21 serial[n]:360 shares:158 skiplock:1 smbios1:159 smp:13 sockets:13 spice_enhancements:160 sshkeys:161 startdate:162 startup:163 tablet:1 tags:164 tdf:1 template:1 tpmstate0:361 unused[n]:166 usb[n]:167 vcpus:13 vga:168 virtio[n]:362 virtiofs[n]:170 vmgenid:171 vmid:172 vmstatestorage:64 watchdog:173
* POST /nodes/{node}/qemu/{vmid}/firewall/aliases - ["perm","/vms/{vmid}",["VM.Config.Network"]] cidr:40 comment:21 name:37 node:14 vmid:172
* POST /nodes/{node}/qemu/{vmid}/firewall/ipset - ["perm","/vms/{vmid}",["VM.Config.Network"]] comment:21 digest:10 name:37 node:14 rename:38 vmid:172
* POST /nodes/{node}/qemu/{vmid}/firewall/ipset/{name} - ["perm","/vms/{vmid}",["VM.Config.Network"]] cidr:39 comment:21 name:37 node:14 nomatch:1 vmid:172
* POST /nodes/{node}/qemu/{vmid}/firewall/rules - ["perm","/vms/{vmid}",["VM.Config.Network"]] action:24 comment:21 dest:25 digest:10 dport:26 enable:17 icmp-type:27 iface:28 log:29 macro:30 node:14 pos:17 proto:31 source:25 sport:32 type:33 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/migrate node ["perm","/vms/{vmid}",["VM.Migrate"]] bwlimit:126 force:1 migration_network:190 migration_type:191 node:14 online:1 target:14 targetstorage:193 vmid:172 with-conntrack-state:1 with-local-disks:1
8 POST /nodes/{node}/qemu/{vmid}/migrate node ["perm","/vms/{vmid}",["VM.Migrate"]] bwlimit:126 force:1 migration_network:190 migration_type:191 node:14 online:1 target:14 targetstorage:193 vmid:172 with-local-disks:1
9 POST /nodes/{node}/qemu/{vmid}/monitor node ["perm","/vms/{vmid}",["Sys.Audit","Sys.Modify"],"any",1] command:19 node:14 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/monitor node ["perm","/vms/{vmid}",["VM.Monitor"]] command:19 node:14 vmid:172
* POST /nodes/{node}/qemu/{vmid}/move_disk node ["perm","/vms/{vmid}",["VM.Config.Disk"]] bwlimit:126 delete:1 digest:184 disk:197 format:196 node:14 storage:64 target-digest:184 target-disk:198 target-vmid:88 vmid:172
* POST /nodes/{node}/qemu/{vmid}/snapshot node ["perm","/vms/{vmid}",["VM.Snapshot"]] description:21 node:14 snapname:201 vmid:172 vmstate:1
* POST /nodes/{node}/qemu/{vmid}/snapshot/{snapname}/rollback node ["perm","/vms/{vmid}",["VM.Snapshot","VM.Snapshot.Rollback"],"any",1] node:14 snapname:201 start:1 vmid:172
* POST /nodes/{node}/qemu/{vmid}/status/reboot node ["perm","/vms/{vmid}",["VM.PowerMgmt"]] node:14 timeout:17 vmid:172
* POST /nodes/{node}/qemu/{vmid}/status/reset node ["perm","/vms/{vmid}",["VM.PowerMgmt"]] node:14 skiplock:1 vmid:172
* POST /nodes/{node}/qemu/{vmid}/status/resume node ["perm","/vms/{vmid}",["VM.PowerMgmt"]] nocheck:1 node:14 skiplock:1 vmid:172
* POST /nodes/{node}/qemu/{vmid}/status/shutdown node ["perm","/vms/{vmid}",["VM.PowerMgmt"]] forceStop:1 keepActive:1 node:14 skiplock:1 timeout:17 vmid:172
8 POST /nodes/{node}/qemu/{vmid}/status/start node ["perm","/vms/{vmid}",["VM.PowerMgmt"]] force-cpu:21 machine:144 migratedfrom:6 migration_network:190 migration_type:191 nets-host-mtu:192 node:14 skiplock:1 stateuri:30 targetstorage:193 timeout:17 vmid:172
9 POST /nodes/{node}/qemu/{vmid}/status/start node ["perm","/vms/{vmid}",["VM.PowerMgmt"]] force-cpu:21 machine:356 migratedfrom:6 migration_network:190 migration_type:191 nets-host-mtu:192 node:14 skiplock:1 stateuri:30 targetstorage:193 timeout:17 vmid:172 with-conntrack-state:1
* POST /nodes/{node}/qemu/{vmid}/status/stop node ["perm","/vms/{vmid}",["VM.PowerMgmt"]] keepActive:1 migratedfrom:6 node:14 overrule-shutdown:1 skiplock:1 timeout:17 vmid:172
* POST /nodes/{node}/qemu/{vmid}/status/suspend node ["perm","/vms/{vmid}",["VM.PowerMgmt"]] node:14 skiplock:1 statestorage:194 todisk:1 vmid:172
* POST /nodes/{node}/qemu/{vmid}/template node ["perm","/vms/{vmid}",["VM.Allocate"]] disk:202 node:14 vmid:172
* POST /nodes/{node}/qemu/{vmid}/termproxy - ["perm","/vms/{vmid}",["VM.Console"]] node:14 serial:187 vmid:172
* POST /nodes/{node}/qemu/{vmid}/vncproxy - ["perm","/vms/{vmid}",["VM.Console"]] generate-password:1 node:14 vmid:172 websocket:1
9 POST /nodes/{node}/startall node "all" force:1 max-workers:376 node:14 vms:48
8 POST /nodes/{node}/startall node "all" force:1 node:14 vms:48
* POST /nodes/{node}/status node ["perm","/nodes/{node}",["Sys.PowerMgmt"]] command:273 node:14
9 POST /nodes/{node}/stopall node "all" force-stop:1 max-workers:376 node:14 timeout:275 vms:48
8 POST /nodes/{node}/stopall node "all" force-stop:1 node:14 timeout:275 vms:48
* POST /nodes/{node}/storage/{storage}/content node ["perm","/storage/{storage}",["Datastore.AllocateSpace"]] filename:19 format:255 node:14 size:256 storage:252 vmid:172
* POST /nodes/{node}/storage/{storage}/content/{volume} node "root@pam" node:14 storage:64 target:19 target_node:6 volume:19
* POST /nodes/{node}/storage/{storage}/download-url node ["and",["perm","/storage/{storage}",["Datastore.AllocateTemplate"]],["or",["perm","/",["Sys.Audit","Sys.Modify"]],["perm","/nodes/{node}",["Sys.AccessNetwork"]]]] checksum:257 checksum-algorithm:258 compression:21 content:259 filename:217 node:14 storage:252 url:261 verify-certificates:1
* POST /nodes/{node}/storage/{storage}/upload - ["perm","/storage/{storage}",["Datastore.AllocateTemplate"]] checksum:257 checksum-algorithm:258 content:259 filename:217 node:14 storage:252 tmpfilename:260
* POST /nodes/{node}/subscription node ["perm","/nodes/{node}",["Sys.Modify"]] force:1 node:14
8 POST /nodes/{node}/vzdump node "all" all:1 bwlimit:17 compress:46 dumpdir:21 exclude:48 exclude-path:49 fleecing:50 ionice:52 job-id:226 lockwait:17 mailnotification:53 mailto:54 maxfiles:13 mode:55 node:6 notes-template:56 notification-mode:57 notification-policy:58 notification-target:51 pbs-change-detection-mode:59 performance:60 pigz:15 pool:21 protected:61 prune-backups:62 quiet:1 remove:1 script:21 stdexcludes:1 stdout:1 stop:1 stopwait:17 storage:64 tmpdir:21 vmid:48 zstd:15
9 POST /nodes/{node}/vzdump node "all" all:1 bwlimit:17 compress:46 dumpdir:21 exclude:48 exclude-path:49 fleecing:50 ionice:52 job-id:226 lockwait:17 mailnotification:53 mailto:54 mode:55 node:6 notes-template:56 notification-mode:57 pbs-change-detection-mode:59 performance:60 pigz:15 pool:21 protected:61 prune-backups:62 quiet:1 remove:1 script:21 stdexcludes:1 stdout:1 stop:1 stopwait:17 storage:64 tmpdir:21 vmid:48 zstd:15
* POST /pools - ["perm","/pool/{poolid}",["Pool.Allocate"]] comment:21 poolid:331
8 POST /storage - ["perm","/storage",["Datastore.Allocate"]] authsupported:21 base:136 blocksize:21 bwlimit:98 comstar_hg:21 comstar_tg:21 content:251 content-dirs:277 create-base-path:1 create-subdirs:1 data-pool:21 datastore:21 disable:1 domain:278 encryption-key:21 export:279 fingerprint:280 format:281 fs-name:51 fuse:1 is_mountpoint:21 iscsiprovider:21 keyring:21 krbd:1 lio_tpg:21 master-pubkey:21 max-protected-backups:282 maxfiles:17 mkdir:1 monhost:283 mountpoint:279 namespace:21 nocow:1 nodes:91 nowritecache:1 options:284 password:278 path:279 pool:21 port:285 portal:286 preallocation:287 prune-backups:62 saferemove:1 saferemove_throughput:21 server:288 server2:289 share:21 shared:1 skip-cert-verification:1 smbversion:290 sparse:1 storage:252 subdir:279 tagged_only:1 target:21 thinpool:291 transport:292 type:293 username:21 vgname:291 volume:21 zfs-base-path:279
9 POST /storage - ["perm","/storage",["Datastore.Allocate"]] authsupported:21 base:136 blocksize:378 bwlimit:98 comstar_hg:21 comstar_tg:21 content:251 content-dirs:277 create-base-path:1 create-subdirs:1 data-pool:21 datastore:21 disable:1 domain:278 encryption-key:21 export:279 fingerprint:280 format:281 fs-name:51 fuse:1 is_mountpoint:21 iscsiprovider:21 keyring:21 krbd:1 lio_tpg:21 master-pubkey:21 max-protected-backups:282 mkdir:1 monhost:283 mountpoint:279 namespace:21 nocow:1 nodes:91 nowritecache:1 options:284 password:278 path:279 pool:21 port:285 portal:286 preallocation:287 prune-backups:62 saferemove:1 saferemove-stepsize:379 saferemove_throughput:21 server:288 share:21 shared:1 skip-cert-verification:1 smbversion:290 snapshot-as-volume-chain:1 sparse:1 storage:252 subdir:279 tagged_only:1 target:21 thinpool:291 type:380 username:21 vgname:291 zfs-base-path:279
* PUT /access/acl - ["perm-modify","{path}"] delete:1 groups:296 path:19 propagate:1 roles:306 tokens:307 users:308
9 PUT /access/domains/{realm} - ["perm","/access/realm",["Realm.Allocate"]] acr-values:309 audiences:309 autocreate:1 base_dn:278 bind_dn:278 capath:21 case-sensitive:1 cert:21 certkey:21 check-connection:1 client-id:278 client-key:278 comment:0 default:1 delete:9 digest:10 domain:310 filter:294 group_classes:311 group_dn:278 group_filter:294 group_name_attr:312 groups-autocreate:1 groups-claim:313 groups-overwrite:1 issuer-url:278 mode:314 password:21 port:285 prompt:315 query-userinfo:1 realm:316 scopes:21 secure:1 server1:317 server2:317 sslversion:318 sync-defaults-options:319 sync_attributes:320 tfa:321 user_attr:323 user_classes:311 verify:1
8 PUT /access/domains/{realm} - ["perm","/access/realm",["Realm.Allocate"]] acr-values:309 autocreate:1 base_dn:278 bind_dn:278 capath:21 case-sensitive:1 cert:21 certkey:21 check-connection:1 client-id:278 client-key:278 comment:0 default:1 delete:9 digest:10 domain:310 filter:294 group_classes:311 group_dn:278 group_filter:294 group_name_attr:312 groups-autocreate:1 groups-claim:313 groups-overwrite:1 issuer-url:278 mode:314 password:21 port:285 prompt:315 query-userinfo:1 realm:316 scopes:21 secure:1 server1:317 server2:317 sslversion:318 sync-defaults-options:319 sync_attributes:320 tfa:321 user_attr:323 user_classes:311 verify:1
* PUT /access/groups/{groupid} - ["perm","/access/groups",["Group.Allocate"]] comment:21 groupid:302
* PUT /access/password ticket ["or",["userid-param","self"],["and",["userid-param","Realm.AllocateUser"],["userid-group",["User.Modify"]]]] confirmation-password:328 password:329 userid:299
* PUT /access/roles/{roleid} - ["perm","/access",["Sys.Modify"]] append:305 privs:303 roleid:304
* PUT /access/users/{userid} - ["userid-group",["User.Modify"],"groups_param","update"] append:300 comment:294 email:295 enable:1 expire:17 firstname:244 groups:296 keys:297 lastname:244 userid:299
9 PUT /access/users/{userid}/token/{tokenid} - ["or",["userid-param","self"],["userid-group",["User.Modify"]]] comment:21 delete:35 expire:17 privsep:1 regenerate:1 tokenid:301 userid:299
8 PUT /access/users/{userid}/token/{tokenid} - ["or",["userid-param","self"],["userid-group",["User.Modify"]]] comment:21 expire:17 privsep:1 tokenid:301 userid:299
8 PUT /cluster/backup/{id} - ["perm","/",["Sys.Modify"]] all:1 bwlimit:17 comment:45 compress:46 delete:35 dow:47 dumpdir:21 enabled:1 exclude:48 exclude-path:49 fleecing:50 id:65 ionice:52 lockwait:17 mailnotification:53 mailto:54 maxfiles:13 mode:55 node:6 notes-template:56 notification-mode:57 notification-policy:58 notification-target:51 pbs-change-detection-mode:59 performance:60 pigz:15 pool:21 protected:61 prune-backups:62 quiet:1 remove:1 repeat-missed:1 schedule:5 script:21 starttime:63 stdexcludes:1 stop:1 stopwait:17 storage:64 tmpdir:21 vmid:48 zstd:15
9 PUT /cluster/backup/{id} - ["perm","/",["Sys.Modify"]] all:1 bwlimit:17 comment:45 compress:46 delete:35 dow:47 dumpdir:21 enabled:1 exclude:48 exclude-path:49 fleecing:50 id:65 ionice:52 lockwait:17 mailnotification:53 mailto:54 mode:55 node:6 notes-template:56 notification-mode:57 pbs-change-detection-mode:59 performance:60 pigz:15 pool:21 protected:61 prune-backups:62 quiet:1 remove:1 repeat-missed:1 schedule:5 script:21 starttime:63 stdexcludes:1 stop:1 stopwait:17 storage:64 tmpdir:21 vmid:48 zstd:15
* PUT /cluster/firewall/aliases/{name} - ["perm","/",["Sys.Modify"]] cidr:40 comment:21 digest:10 name:37 rename:38
* PUT /cluster/firewall/groups/{group}/{pos} - ["perm","/",["Sys.Modify"]] action:34 comment:21 delete:35 dest:25 digest:10 dport:26 enable:17 group:22 icmp-type:27 iface:28 log:29 macro:30 moveto:17 pos:17 proto:31 source:25 sport:32 type:36
* PUT /cluster/firewall/ipset/{name}/{cidr} - ["perm","/",["Sys.Modify"]] cidr:39 comment:21 digest:10 name:37 nomatch:1
* PUT /cluster/firewall/options - ["perm","/",["Sys.Modify"]] delete:35 digest:10 ebtables:1 enable:17 log_ratelimit:41 policy_forward:42 policy_in:43 policy_out:43
* PUT /cluster/firewall/rules/{pos} - ["perm","/",["Sys.Modify"]] action:34 comment:21 delete:35 dest:25 digest:10 dport:26 enable:17 icmp-type:27 iface:28 log:29 macro:30 moveto:17 pos:17 proto:31 source:25 sport:32 type:36
9 PUT /cluster/ha/groups/{group} - ["perm","/",["Sys.Console"]] comment:0 delete:9 digest:10 group:69 nodes:336 nofailback:1 restricted:1
8 PUT /cluster/ha/groups/{group} - ["perm","/",["Sys.Console"]] comment:0 delete:9 digest:10 group:69 nodes:72 nofailback:1 restricted:1
9 PUT /cluster/ha/resources/{sid} - ["perm","/",["Sys.Console"]] comment:0 delete:9 digest:10 failback:1 group:51 max_relocate:17 max_restart:17 sid:67 state:68
8 PUT /cluster/ha/resources/{sid} - ["perm","/",["Sys.Console"]] comment:0 delete:9 digest:10 group:51 max_relocate:17 max_restart:17 sid:67 state:68
9 PUT /cluster/ha/rules/{rule} - ["perm","/",["Sys.Console"]] delete:9 digest:10 rule:338 type:339 comment:0 disable:1 nodes:344 resources:345 strict:342 affinity:346
* PUT /cluster/mapping/dir/{id} - ["perm","/mapping/dir/{id}",["Mapping.Modify"]] delete:9 description:0 digest:10 id:69 map:74
* PUT /cluster/mapping/pci/{id} - ["perm","/mapping/pci/{id}",["Mapping.Modify"]] delete:9 description:0 digest:10 id:69 live-migration-capable:1 map:76 mdev:1
8 PUT /cluster/options - ["perm","/",["Sys.Modify"]] bwlimit:98 consent-text:99 console:100 crs:101 delete:35 description:99 email_from:102 fencing:103 ha:104 http_proxy:105 keyboard:106 language:107 mac_prefix:108 max_workers:13 migration:109 migration_unsecure:1 next-id:110 notify:111 registered-tags:112 tag-style:113 u2f:114 user-tag-access:115 webauthn:116
9 PUT /cluster/options - ["perm","/",["Sys.Modify"]] bwlimit:98 consent-text:99 console:100 crs:351 delete:35 description:99 email_from:102 fencing:103 ha:104 http_proxy:105 keyboard:106 language:107 location:352 mac_prefix:108 max_workers:13 migration:109 migration_unsecure:1 next-id:110 notify:111 registered-tags:112 replication:109 tag-style:113 u2f:114 user-tag-access:115 webauthn:116
9 PUT /cluster/replication/{id} - "all" comment:0 delete:9 digest:10 disable:1 id:2 rate:3 remove_job:4 schedule:5 source:6
8 PUT /cluster/replication/{id} - ["perm","/storage",["Datastore.Allocate"]] comment:0 delete:9 digest:10 disable:1 id:2 rate:3 remove_job:4 schedule:5 source:6
8 PUT /cluster/sdn - ["perm","/sdn",["SDN.Allocate"]] 
9 PUT /cluster/sdn - ["perm","/sdn",["SDN.Allocate"]] lock-token:21 release-lock:1
9 PUT /cluster/sdn/vnets/{vnet} - "all" alias:77 delete:9 digest:10 isolate-ports:1 lock-token:21 tag:348 vlanaware:1 vnet:349 zone:21
8 PUT /cluster/sdn/vnets/{vnet} - "all" alias:77 delete:9 digest:10 isolate-ports:1 tag:15 vlanaware:1 vnet:79 zone:21
9 PUT /cluster/sdn/vnets/{vnet}/firewall/options - "all" delete:35 digest:10 enable:1 log_level_forward:29 policy_forward:42 vnet:349
8 PUT /cluster/sdn/vnets/{vnet}/firewall/options - "all" delete:35 digest:10 enable:1 log_level_forward:29 policy_forward:42 vnet:79
9 PUT /cluster/sdn/vnets/{vnet}/firewall/rules/{pos} - "all" action:34 comment:21 delete:35 dest:25 digest:10 dport:26 enable:17 icmp-type:27 iface:28 log:29 macro:30 moveto:17 pos:17 proto:31 source:25 sport:32 type:36 vnet:349
8 PUT /cluster/sdn/vnets/{vnet}/firewall/rules/{pos} - "all" action:34 comment:21 delete:35 dest:25 digest:10 dport:26 enable:17 icmp-type:27 iface:28 log:29 macro:30 moveto:17 pos:17 proto:31 source:25 sport:32 type:36 vnet:79
9 PUT /cluster/sdn/vnets/{vnet}/ips - ["perm","/sdn/zones/{zone}/{vnet}",["SDN.Allocate"]] ip:85 mac:86 vmid:88 vnet:349 zone:349
8 PUT /cluster/sdn/vnets/{vnet}/ips - ["perm","/sdn/zones/{zone}/{vnet}",["SDN.Allocate"]] ip:85 mac:86 vmid:88 vnet:79 zone:87
9 PUT /cluster/sdn/vnets/{vnet}/subnets/{subnet} - "all" delete:9 dhcp-dns-server:16 dhcp-range:81 digest:10 dnszoneprefix:82 gateway:16 lock-token:21 snat:1 subnet:83 vnet:21
8 PUT /cluster/sdn/vnets/{vnet}/subnets/{subnet} - "all" delete:9 dhcp-dns-server:16 dhcp-range:81 digest:10 dnszoneprefix:82 gateway:16 snat:1 subnet:83 vnet:21
9 PUT /cluster/sdn/zones/{zone} - ["perm","/sdn/zones/{zone}",["SDN.Allocate"]] advertise-subnets:1 bridge:21 bridge-disable-mac-learning:1 controller:21 delete:9 dhcp:90 digest:10 disable-arp-nd-suppression:1 dns:21 dnszone:82 dp-id:15 exitnodes:91 exitnodes-local-routing:1 exitnodes-primary:6 fabric:350 ipam:21 lock-token:21 mac:86 mtu:15 nodes:91 peers:92 reversedns:21 rt-import:93 tag:17 vlan-protocol:95 vrf-vxlan:348 vxlan-port:96 zone:349
8 PUT /cluster/sdn/zones/{zone} - ["perm","/sdn/zones/{zone}",["SDN.Allocate"]] advertise-subnets:1 bridge:21 bridge-disable-mac-learning:1 controller:21 delete:9 dhcp:90 digest:10 disable-arp-nd-suppression:1 dns:21 dnszone:82 dp-id:15 exitnodes:91 exitnodes-local-routing:1 exitnodes-primary:6 ipam:21 mac:86 mtu:15 nodes:91 peers:92 reversedns:21 rt-import:93 tag:17 vlan-protocol:95 vrf-vxlan:15 vxlan-port:96 zone:87
9 PUT /nodes/{node}/config node ["perm","/",["Sys.Modify"]] acme:268 acmedomain[n]:269 ballooning-target:270 delete:35 description:99 digest:184 location:352 node:14 startall-onboot-delay:271 wakeonlan:272
8 PUT /nodes/{node}/config node ["perm","/",["Sys.Modify"]] acme:268 acmedomain[n]:269 ballooning-target:270 delete:35 description:99 digest:184 node:14 startall-onboot-delay:271 wakeonlan:272
* PUT /nodes/{node}/dns node ["perm","/nodes/{node}",["Sys.Modify"]] dns1:16 dns2:16 dns3:16 node:14 search:19
* PUT /nodes/{node}/firewall/options node ["perm","/nodes/{node}",["Sys.Modify"]] delete:35 digest:10 enable:1 log_level_forward:29 log_level_in:29 log_level_out:29 log_nf_conntrack:1 ndp:1 nf_conntrack_allow_invalid:1 nf_conntrack_helpers:263 nf_conntrack_max:264 nf_conntrack_tcp_timeout_established:265 nf_conntrack_tcp_timeout_syn_recv:266 nftables:1 node:14 nosmurfs:1 protection_synflood:1 protection_synflood_burst:15 protection_synflood_rate:15 smurf_log_level:29 tcp_flags_log_level:29 tcpflags:1
* PUT /nodes/{node}/firewall/rules/{pos} node ["perm","/nodes/{node}",["Sys.Modify"]] action:34 comment:21 delete:35 dest:25 digest:10 dport:26 enable:17 icmp-type:27 iface:28 log:29 macro:30 moveto:17 node:14 pos:17 proto:31 source:25 sport:32 type:36
9 PUT /nodes/{node}/lxc/{vmid}/config node ["perm","/vms/{vmid}",["VM.Config.Disk","VM.Config.CPU","VM.Config.Memory","VM.Config.Network","VM.Config.Options"],"any",1] arch:203 cmode:205 console:1 cores:206 cpulimit:207 cpuunits:208 debug:1 delete:35 description:133 dev[n]:209 digest:184 entrypoint:365 env:366 features:210 hookscript:136 hostname:211 lock:212 memory:213 mp[n]:367 nameserver:215 net[n]:368 node:14 onboot:1 ostype:218 protection:1 revert:35 rootfs:369 searchdomain:221 startup:163 swap:17 tags:164 template:1 timezone:222 tty:223 unprivileged:1 unused[n]:225 vmid:172
8 PUT /nodes/{node}/lxc/{vmid}/config node ["perm","/vms/{vmid}",["VM.Config.Disk","VM.Config.CPU","VM.Config.Memory","VM.Config.Network","VM.Config.Options"],"any",1] arch:203 cmode:205 console:1 cores:206 cpulimit:207 cpuunits:208 debug:1 delete:35 description:133 dev[n]:209 digest:184 features:210 hookscript:136 hostname:211 lock:212 memory:213 mp[n]:214 nameserver:215 net[n]:216 node:14 onboot:1 ostype:218 protection:1 revert:35 rootfs:220 searchdomain:221 startup:163 swap:17 tags:164 template:1 timezone:222 tty:223 unprivileged:1 unused[n]:225 vmid:172
8 PUT /nodes/{node}/network node ["perm","/nodes/{node}",["Sys.Modify"]] node:14
9 PUT /nodes/{node}/network node ["perm","/nodes/{node}",["Sys.Modify"]] node:14 regenerate-frr:1
8 PUT /nodes/{node}/network/{iface} node ["perm","/nodes/{node}",["Sys.Modify"]] address:229 address6:230 autostart:1 bond-primary:231 bond_mode:232 bond_xmit_hash_policy:233 bridge_ports:234 bridge_vids:235 bridge_vlan_aware:1 cidr:236 cidr6:237 comments:21 comments6:21 delete:35 gateway:238 gateway6:239 iface:240 mtu:241 netmask:242 netmask6:243 node:14 ovs_bonds:234 ovs_bridge:231 ovs_options:244 ovs_ports:234 ovs_tag:245 slaves:234 type:246 vlan-id:245 vlan-raw-device:231
9 PUT /nodes/{node}/network/{iface} node ["perm","/nodes/{node}",["Sys.Modify"]] address:229 address6:230 autostart:1 bond-primary:231 bond_mode:232 bond_xmit_hash_policy:233 bridge_ports:234 bridge_vids:235 bridge_vlan_aware:1 cidr:236 cidr6:237 comments:21 comments6:21 delete:35 gateway:238 gateway6:239 iface:240 mtu:241 netmask:242 netmask6:243 node:14 ovs_bonds:234 ovs_bridge:231 ovs_options:244 ovs_ports:234 ovs_tag:245 slaves:234 type:372 vlan-id:245 vlan-raw-device:231
* PUT /nodes/{node}/qemu/{vmid}/cloudinit node ["perm","/vms/{vmid}",["VM.Config.Cloudinit"]] node:14 vmid:172
8 PUT /nodes/{node}/qemu/{vmid}/config node ["perm","/vms/{vmid}",["VM.Config.Disk","VM.Config.CDROM","VM.Config.CPU","VM.Config.Memory","VM.Config.Network","VM.Config.HWType","VM.Config.Options","VM.Config.Cloudinit"],"any",1] acpi:1 affinity:117 agent:118 amd-sev:119 arch:120 args:21 audio0:122 autostart:1 balloon:17 bios:123 boot:124 bootdisk:125 cdrom:127 cicustom:128 cipassword:21 citype:129 ciupgrade:1 ciuser:21 cores:13 cpu:130 cpulimit:131 cpuunits:132 delete:35 description:133 digest:184 efidisk0:134 force:185 freeze:1 hookscript:136 hostpci[n]:137 hotplug:138 hugepages:139 ide[n]:140 ipconfig[n]:141 ivshmem:142 keephugepages:1 keyboard:106 kvm:1 localtime:1 lock:143 machine:144 memory:145 migrate_downtime:146 migrate_speed:17 name:82 nameserver:147 net[n]:148 node:14 numa:1 numa[n]:149 onboot:1 ostype:150 parallel[n]:151 protection:1 reboot:1 revert:35 rng0:153 sata[n]:154 scsi[n]:155 scsihw:156 searchdomain:21 serial[n]:157 shares:158 skiplock:1 smbios1:159 smp:13 sockets:13 spice_enhancements:160 sshkeys:161 startdate:162 startup:163 tablet:1 tags:164 tdf:1 template:1 tpmstate0:165 unused[n]:166 usb[n]:167 vcpus:13 vga:168 virtio[n]:169 virtiofs[n]:170 vmgenid:171 vmid:172 vmstatestorage:64 watchdog:173
9 PUT /nodes/{node}/qemu/{vmid}/config node ["perm","/vms/{vmid}",["VM.Config.Disk","VM.Config.CDROM","VM.Config.CPU","VM.Config.Memory","VM.Config.Network","VM.Config.HWType","VM.Config.Options","VM.Config.Cloudinit"],"any",1] acpi:1 affinity:117 agent:353 allow-ksm:1 amd-sev:119 arch:120 args:21 audio0:122 autostart:1 balloon:17 bios:123 boot:124 bootdisk:125 cdrom:127 cicustom:128 cipassword:21 citype:129 ciupgrade:1 ciuser:21 cores:13 cpu:130 cpulimit:131 cpuunits:132 delete:35 description:133 digest:184 efidisk0:134 force:185 freeze:1 hookscript:136 hostpci[n]:137 hotplug:138 hugepages:139 ide[n]:354 intel-tdx:355 ipconfig[n]:141 ivshmem:142 keephugepages:1 keyboard:106 kvm:1 localtime:1 lock:143 machine:356 memory:145 migrate_downtime:146 migrate_speed:17 name:82 nameserver:147 net[n]:357 node:14 numa:1 numa[n]:149 onboot:1 ostype:150 parallel[n]:151 protection:1 reboot:1 revert:35 rng0:153 sata[n]:358 scsi[n]:359 scsihw:156 searchdomain:21 serial[n]:360 shares:158 skiplock:1 smbios1:159 smp:13 sockets:13 spice_enhancements:160 sshkeys:161 startdate:162 startup:163 tablet:1 tags:164 tdf:1 template:1 tpmstate0:361 unused[n]:166 usb[n]:167 vcpus:13 vga:168 virtio[n]:362 virtiofs[n]:170 vmgenid:171 vmid:172 vmstatestorage:64 watchdog:173
* PUT /nodes/{node}/qemu/{vmid}/firewall/aliases/{name} - ["perm","/vms/{vmid}",["VM.Config.Network"]] cidr:40 comment:21 digest:10 name:37 node:14 rename:38 vmid:172
* PUT /nodes/{node}/qemu/{vmid}/firewall/ipset/{name}/{cidr} - ["perm","/vms/{vmid}",["VM.Config.Network"]] cidr:39 comment:21 digest:10 name:37 node:14 nomatch:1 vmid:172
* PUT /nodes/{node}/qemu/{vmid}/firewall/options node ["perm","/vms/{vmid}",["VM.Config.Network"]] delete:35 dhcp:1 digest:10 enable:1 ipfilter:1 log_level_in:29 log_level_out:29 macfilter:1 ndp:1 node:14 policy_in:43 policy_out:43 radv:1 vmid:172
* PUT /nodes/{node}/qemu/{vmid}/firewall/rules/{pos} - ["perm","/vms/{vmid}",["VM.Config.Network"]] action:34 comment:21 delete:35 dest:25 digest:10 dport:26 enable:17 icmp-type:27 iface:28 log:29 macro:30 moveto:17 node:14 pos:17 proto:31 source:25 sport:32 type:36 vmid:172
* PUT /nodes/{node}/qemu/{vmid}/resize node ["perm","/vms/{vmid}",["VM.Config.Disk"]] digest:184 disk:199 node:14 size:200 skiplock:1 vmid:172
* PUT /nodes/{node}/qemu/{vmid}/sendkey node ["perm","/vms/{vmid}",["VM.Console"]] key:19 node:14 skiplock:1 vmid:172
* PUT /nodes/{node}/qemu/{vmid}/snapshot/{snapname}/config node ["perm","/vms/{vmid}",["VM.Snapshot"]] description:21 node:14 snapname:201 vmid:172
* PUT /nodes/{node}/qemu/{vmid}/unlink node ["perm","/vms/{vmid}",["VM.Config.Disk"]] force:1 idlist:180 node:14 vmid:172
* PUT /nodes/{node}/storage/{storage}/content/{volume} node "all" node:14 notes:21 protected:1 storage:64 volume:19
8 PUT /nodes/{node}/subscription node ["perm","/nodes/{node}",["Sys.Modify"]] key:227 node:14
9 PUT /nodes/{node}/subscription node ["perm","/nodes/{node}",["Sys.Modify"]] key:370 node:14
* PUT /nodes/{node}/time node ["perm","/nodes/{node}",["Sys.Modify"]] node:14 timezone:19
* PUT /pools - ["perm","/pool/{poolid}",["Pool.Allocate"]] allow-move:1 comment:21 delete:1 poolid:331 storage:333 vms:48
* PUT /pools/{poolid} - ["perm","/pool/{poolid}",["Pool.Allocate"]] allow-move:1 comment:21 delete:1 poolid:331 storage:333 vms:48
8 PUT /storage/{storage} - ["perm","/storage",["Datastore.Allocate"]] blocksize:21 bwlimit:98 comstar_hg:21 comstar_tg:21 content:251 content-dirs:277 create-base-path:1 create-subdirs:1 data-pool:21 delete:9 digest:10 disable:1 domain:278 encryption-key:21 fingerprint:280 format:281 fs-name:51 fuse:1 is_mountpoint:21 keyring:21 krbd:1 lio_tpg:21 master-pubkey:21 max-protected-backups:282 maxfiles:17 mkdir:1 monhost:283 mountpoint:279 namespace:21 nocow:1 nodes:91 nowritecache:1 options:284 password:278 pool:21 port:285 preallocation:287 prune-backups:62 saferemove:1 saferemove_throughput:21 server:288 server2:289 shared:1 skip-cert-verification:1 smbversion:290 sparse:1 storage:252 subdir:279 tagged_only:1 transport:292 username:21 zfs-base-path:279
9 PUT /storage/{storage} - ["perm","/storage",["Datastore.Allocate"]] blocksize:378 bwlimit:98 comstar_hg:21 comstar_tg:21 content:251 content-dirs:277 create-base-path:1 create-subdirs:1 data-pool:21 delete:9 digest:10 disable:1 domain:278 encryption-key:21 fingerprint:280 format:281 fs-name:51 fuse:1 is_mountpoint:21 keyring:21 krbd:1 lio_tpg:21 master-pubkey:21 max-protected-backups:282 mkdir:1 monhost:283 mountpoint:279 namespace:21 nocow:1 nodes:91 nowritecache:1 options:284 password:278 pool:21 port:285 preallocation:287 prune-backups:62 saferemove:1 saferemove-stepsize:379 saferemove_throughput:21 server:288 shared:1 skip-cert-verification:1 smbversion:290 snapshot-as-volume-chain:1 sparse:1 storage:252 subdir:279 tagged_only:1 username:21 zfs-base-path:279
`
