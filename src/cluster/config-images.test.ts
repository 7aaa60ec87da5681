import { expect, test } from 'vitest'
import { kubernetesImages, versionOfImage, withInstaller, withKubernetesImages } from './config-images.js'

const schematic = 'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515'
const classic = `machine:
  install:
    disk: /dev/sda
    image: factory.talos.dev/nocloud-installer/${schematic}:v1.13.8
  kubelet:
    image: ghcr.io/siderolabs/kubelet:v1.35.4
cluster:
  apiServer:
    image: "mirror.example/k8s/kube-apiserver:v1.35.4" # ours
  proxy:
    image: registry.k8s.io/kube-proxy:v1.35.4
  inlineManifests:
    - contents: |
        image: nginx:v1.27.0
`
const split = `apiVersion: v1alpha1
kind: KubeletConfig
image: ghcr.io/siderolabs/kubelet:v1.37.0
`

test('images are found in the classic document and in those of their own', () => {
  expect(kubernetesImages(classic)).toEqual({
    kubelet: 'ghcr.io/siderolabs/kubelet:v1.35.4',
    'kube-apiserver': 'mirror.example/k8s/kube-apiserver:v1.35.4',
    'kube-proxy': 'registry.k8s.io/kube-proxy:v1.35.4',
  })
  expect(kubernetesImages(split)).toEqual({ kubelet: 'ghcr.io/siderolabs/kubelet:v1.37.0' })
})

test('only the image that is given changes; comments, quotes and other images stay', () => {
  const image = 'mirror.example/k8s/kube-apiserver:v1.36.3'
  const changed = withKubernetesImages(classic, { 'kube-apiserver': image, 'kube-scheduler': 'unnamed:v1.36.3' })
  expect(changed).toBe(classic.replace('kube-apiserver:v1.35.4', 'kube-apiserver:v1.36.3'))
  expect(withInstaller(classic, 'factory.talos.dev/x:v9.9.9')).toBe(
    classic.replace(`factory.talos.dev/nocloud-installer/${schematic}:v1.13.8`, 'factory.talos.dev/x:v9.9.9'),
  )
})

test.each([
  ['ghcr.io/siderolabs/kubelet:v1.36.3-fat', 'v1.36.3'],
  ['registry.k8s.io/kube-proxy:v1.37.0-rc.0@sha256:00', 'v1.37.0-rc.0'],
  ['kubelet:latest', undefined],
])('%s has version %s', (image, version) => {
  expect(versionOfImage(image)).toBe(version)
})
