"""proxmoxer, used as its users use it: every step reads back what it did."""
import io
import os
import time

from proxmoxer import ProxmoxAPI, ResourceException
from proxmoxer.tools import Tasks

host, port = os.environ["LAB_HOST"], int(os.environ["LAB_PORT"])
verify = os.environ["LAB_CA"]


def by_token():
    return ProxmoxAPI(
        host, port=port, user=os.environ["LAB_USER"], token_name=os.environ["LAB_TOKEN"],
        token_value=os.environ["LAB_SECRET"], verify_ssl=verify,
    )


def by_password():
    return ProxmoxAPI(host, port=port, user="root@pam", password=os.environ["LAB_PASSWORD"], verify_ssl=verify)


def wait(api, upid):
    status = Tasks.blocking_status(api, upid, timeout=60, polling_interval=0.02)
    assert status is not None and status["exitstatus"] == "OK", (upid, status, Tasks.decode_log(api.nodes("pve1").tasks(upid).log.get()))


def refused(call, text):
    try:
        call()
    except ResourceException as problem:
        assert text in str(problem), problem
        return
    raise AssertionError(f"{text!r} was not refused")


def life_of_a_vm(api):
    node = api.nodes("pve1")
    vmid = int(api.cluster.nextid.get())
    wait(api, node.qemu.post(vmid=vmid, name="from-proxmoxer", memory=512, cores=1, net0="virtio,bridge=vmbr0",
                             scsi0="local-lvm:4", scsihw="virtio-scsi-pci", tags="b;a"))
    refused(lambda: node.qemu.post(vmid=vmid), "already exists")
    config = node.qemu(vmid).config.get()
    assert config["scsi0"].endswith("size=4G") and config["net0"].startswith("virtio=BC:24:11:"), config

    node.qemu(vmid).config.put(memory=1024, description="changed, with = and ; in it")
    assert node.qemu(vmid).config.get()["memory"] == "1024"
    assert node.qemu(vmid).config.get()["description"] == "changed, with = and ; in it"
    wait(api, node.qemu(vmid).config.post(cores=2))
    wait(api, node.qemu(vmid).resize.put(disk="scsi0", size="+2G"))
    assert node.qemu(vmid).config.get()["scsi0"].endswith("size=6G")

    wait(api, node.qemu(vmid).status.start.post())
    assert node.qemu(vmid).status.current.get()["status"] == "running"
    refused(lambda: node.qemu(vmid).delete(), "is running")
    wait(api, node.qemu(vmid).status.stop.post())

    wait(api, node.qemu(vmid).template.post())
    wait(api, node.qemu(vmid).clone.post(newid=vmid + 1, name="full", full=1))
    wait(api, node.qemu(vmid).clone.post(newid=vmid + 2, name="linked"))
    names = {vm["name"]: vm for vm in api.cluster.resources.get(type="vm")}
    assert names["from-proxmoxer"]["template"] == 1 and names["full"]["template"] == 0, names
    first, second = node.qemu(vmid).config.get(), node.qemu(vmid + 1).config.get()
    assert first["smbios1"] != second["smbios1"] and first["net0"] != second["net0"]

    for doomed in (vmid + 1, vmid + 2, vmid):
        wait(api, node.qemu(doomed).delete(purge=1))
    refused(lambda: node.qemu(vmid).config.get(), "does not exist")


def backup_and_restore(api):
    node = api.nodes("pve1")
    vmid = int(api.cluster.nextid.get())
    wait(api, node.qemu.post(vmid=vmid, name="precious", description="with notes", scsi0="local-lvm:4",
                             net0="virtio,bridge=vmbr0", start=1))
    before = node.qemu(vmid).config.get()
    for _ in range(2):
        wait(api, node.vzdump.post(vmid=vmid, storage="local", mode="snapshot", compress="zstd",
                                   **{"notes-template": "{{guestname}} of {{node}}", "prune-backups": "keep-last=1"}))
    [backup] = node.storage("local").content.get(content="backup", vmid=vmid)
    assert backup["notes"] == "precious of pve1" and backup["format"] == "vma.zst" and backup["size"] > 0, backup
    assert "description" not in node.vzdump.extractconfig.get(volume=backup["volid"]).split("#with notes")[0]

    refused(lambda: node.qemu.post(vmid=vmid, archive=backup["volid"]), "already exists")
    wait(api, node.qemu.post(vmid=vmid + 1, archive=backup["volid"]))
    wait(api, node.qemu.post(vmid=vmid + 2, archive=backup["volid"], unique=1, name="its-twin"))
    same, twin = node.qemu(vmid + 1).config.get(), node.qemu(vmid + 2).config.get()
    assert all(same[key] == before[key] for key in ("name", "description", "smbios1", "net0")), same
    assert twin["name"] == "its-twin" and twin["net0"] != before["net0"] and twin["smbios1"] != before["smbios1"], twin

    wait(api, node.qemu(vmid).status.stop.post())
    node.qemu(vmid).config.put(name="changed")
    wait(api, node.qemu.post(vmid=vmid, archive=backup["volid"], force=1))
    assert node.qemu(vmid).config.get()["name"] == "precious"
    for doomed in (vmid, vmid + 1, vmid + 2):
        wait(api, node.qemu(doomed).delete(purge=1))
    wait(api, node.storage("local").content(backup["volid"]).delete())
    assert node.storage("local").content.get(content="backup") == []


def high_availability(api):
    node = api.nodes("pve1")
    vmid = int(api.cluster.nextid.get())
    sid = f"vm:{vmid}"
    wait(api, node.qemu.post(vmid=vmid, name="kept-up"))
    api.cluster.ha.resources.post(sid=sid, state="started")
    for _ in range(200):
        services = {entry["sid"]: entry for entry in api.cluster.ha.status.current.get() if entry["type"] == "service"}
        if services[sid]["state"] == "started":
            break
        time.sleep(0.05)
    assert node.qemu(vmid).status.current.get()["status"] == "running", services
    refused(lambda: node.qemu(vmid).delete(), "used in HA resources")
    api.cluster.ha.resources(sid).delete()
    wait(api, node.qemu(vmid).status.stop.post())
    wait(api, node.qemu(vmid).delete(purge=1))


def files(api):
    iso = io.BytesIO(b"CD001" * 4096)
    iso.name = "seed.iso"
    storage = api.nodes("pve1").storage("local")
    wait(api, storage.upload.post(content="iso", filename=iso))
    listed = storage.content.get(content="iso")
    assert [entry["volid"] for entry in listed] == ["local:iso/seed.iso"] and listed[0]["size"] == 20480, listed
    upid = storage.content("local:iso/seed.iso").delete()
    wait(api, upid)
    assert storage.content.get(content="iso") == []


def people(api):
    api.pools.post(poolid="clients", comment="made by proxmoxer")
    api.access.roles.post(roleid="Reader", privs="VM.Audit,Pool.Audit")
    api.access.users.post(userid="reader@pve", password="long enough")
    token = api.access.users("reader@pve").token("ci").post(privsep=0)
    api.access.acl.put(path="/pool/clients", users="reader@pve", roles="Reader")
    reader = ProxmoxAPI(host, port=port, user="reader@pve", token_name="ci", token_value=token["value"], verify_ssl=verify)
    assert [pool["poolid"] for pool in reader.pools.get()] == ["clients"]
    refused(lambda: reader.nodes("pve1").qemu.post(vmid=999), "Permission check failed")
    api.access.users("reader@pve").delete()
    api.access.roles("Reader").delete()
    api.pools("clients").delete()


for make in (by_token, by_password):
    api = make()
    assert api.version.get()["release"] in ("8.4", "9.2")
    assert sorted(node["node"] for node in api.nodes.get()) == ["pve1", "pve2"]
    started = time.monotonic()
    life_of_a_vm(api)
    backup_and_restore(api)
    high_availability(api)
    files(api)
    people(api)
    print(f"proxmoxer: {make.__name__} ok in {time.monotonic() - started:.1f} s")
