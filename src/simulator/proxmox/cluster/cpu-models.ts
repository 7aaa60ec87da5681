import type { Routes } from '../http/call.js'

/** The CPU models of VMs, by vendor: those of both versions, and those that only 9 has. */
const models: Readonly<Record<string, { readonly both: string; readonly nine: string }>> = {
  default: { both: 'host kvm32 kvm64 max qemu32 qemu64 x86-64-v2 x86-64-v2-AES x86-64-v3 x86-64-v4', nine: '' },
  AuthenticAMD: {
    both:
      'EPYC EPYC-Genoa EPYC-IBPB EPYC-Milan EPYC-Milan-v2 EPYC-Rome EPYC-Rome-v2 EPYC-Rome-v3 EPYC-Rome-v4 EPYC-v3 EPYC-v4 ' +
      'Opteron_G1 Opteron_G2 Opteron_G3 Opteron_G4 Opteron_G5 athlon phenom',
    nine: 'EPYC-Genoa-v2 EPYC-Milan-v3 EPYC-Rome-v5 EPYC-Turin EPYC-v5',
  },
  GenuineIntel: {
    both:
      '486 Broadwell Broadwell-IBRS Broadwell-noTSX Broadwell-noTSX-IBRS Cascadelake-Server Cascadelake-Server-noTSX ' +
      'Cascadelake-Server-v2 Cascadelake-Server-v4 Cascadelake-Server-v5 Conroe Cooperlake Cooperlake-v2 GraniteRapids ' +
      'Haswell Haswell-IBRS Haswell-noTSX Haswell-noTSX-IBRS Icelake-Client Icelake-Client-noTSX Icelake-Server ' +
      'Icelake-Server-noTSX Icelake-Server-v3 Icelake-Server-v4 Icelake-Server-v5 Icelake-Server-v6 IvyBridge IvyBridge-IBRS ' +
      'KnightsMill Nehalem Nehalem-IBRS Penryn SandyBridge SandyBridge-IBRS SapphireRapids SapphireRapids-v2 Skylake-Client ' +
      'Skylake-Client-IBRS Skylake-Client-noTSX-IBRS Skylake-Client-v4 Skylake-Server Skylake-Server-IBRS ' +
      'Skylake-Server-noTSX-IBRS Skylake-Server-v4 Skylake-Server-v5 Westmere Westmere-IBRS core2duo coreduo ' +
      'pentium pentium2 pentium3',
    nine:
      'ClearwaterForest GraniteRapids-v2 GraniteRapids-v3 Icelake-Server-v7 SapphireRapids-v3 SapphireRapids-v4 ' +
      'SierraForest SierraForest-v2 SierraForest-v3',
  },
}

function cpuModels(pve: 8 | 9): unknown[] {
  return Object.entries(models).flatMap(([vendor, { both, nine }]) =>
    [...both.split(' '), ...(pve === 9 ? nine.split(' ').filter(Boolean) : [])].map((name) => ({
      name,
      custom: 0,
      vendor,
      ...(pve === 9 && name.startsWith('x86-64-v') ? { abstract: 1 } : {}),
    })),
  )
}

export const cpuModelRoutes: Routes = {
  'GET /nodes/{node}/capabilities/qemu/cpu': ({ datacenter }) => cpuModels(datacenter.pve),
}
