import { expect, test } from 'vitest'
import { imageUrl, installerImage } from './image-url.js'

const choice = { schematic: 'ce4c', talosVersion: 'v1.13.9', platform: 'nocloud', arch: 'amd64' } as const

test.each([
  [{ format: 'qcow2' }, 'https://factory.talos.dev/image/ce4c/v1.13.9/nocloud-amd64.qcow2'],
  [{ format: 'iso', platform: 'metal' }, 'https://factory.talos.dev/image/ce4c/v1.13.9/metal-amd64.iso'],
  [{ format: 'raw.zst', arch: 'arm64' }, 'https://factory.talos.dev/image/ce4c/v1.13.9/nocloud-arm64.raw.zst'],
  [
    { format: 'raw.xz', secureBoot: true },
    'https://factory.talos.dev/image/ce4c/v1.13.9/nocloud-amd64-secureboot.raw.xz',
  ],
  [{ format: 'iso', talosVersion: '1.8.2' }, 'https://factory.talos.dev/image/ce4c/v1.8.2/nocloud-amd64.iso'],
  [
    { format: 'iso', factoryUrl: 'http://127.0.0.1:8080/' },
    'http://127.0.0.1:8080/image/ce4c/v1.13.9/nocloud-amd64.iso',
  ],
] as const)('the image for %j is at %s', (part, url) => {
  expect(imageUrl({ ...choice, ...part })).toBe(url)
})

test.each([
  [{}, 'factory.talos.dev/nocloud-installer/ce4c:v1.13.9'],
  [{ platform: 'metal' }, 'factory.talos.dev/metal-installer/ce4c:v1.13.9'],
  [{ secureBoot: true }, 'factory.talos.dev/nocloud-installer-secureboot/ce4c:v1.13.9'],
  [{ talosVersion: 'v1.9.5' }, 'factory.talos.dev/installer/ce4c:v1.9.5'],
  [{ talosVersion: 'v1.9.5', secureBoot: true }, 'factory.talos.dev/installer-secureboot/ce4c:v1.9.5'],
  [{ factoryUrl: 'https://factory.example:8443' }, 'factory.example:8443/nocloud-installer/ce4c:v1.13.9'],
] as const)('the installer for %j is %s', (part, image) => {
  expect(installerImage({ ...choice, ...part })).toBe(image)
})
