import { type ChartTable, crd, service, workload } from './chart.js'

const flux: ChartTable = {
  chart: 'flux2',
  repository: 'https://fluxcd-community.github.io/helm-charts',
  render: ({ namespace }) => [
    crd('source.toolkit.fluxcd.io', 'GitRepository', 'gitrepositories'),
    crd('source.toolkit.fluxcd.io', 'HelmRepository', 'helmrepositories'),
    crd('kustomize.toolkit.fluxcd.io', 'Kustomization', 'kustomizations'),
    crd('helm.toolkit.fluxcd.io', 'HelmRelease', 'helmreleases', 'v2'),
    ...['source', 'kustomize', 'helm', 'notification', 'image-automation', 'image-reflector'].map((name) =>
      workload('Deployment', namespace, `${name}-controller`),
    ),
  ],
}

const argocd: ChartTable = {
  chart: 'argo-cd',
  repository: 'https://argoproj.github.io/argo-helm',
  render: ({ namespace, release }) => [
    crd('argoproj.io', 'Application', 'applications', 'v1alpha1'),
    crd('argoproj.io', 'ApplicationSet', 'applicationsets', 'v1alpha1'),
    crd('argoproj.io', 'AppProject', 'appprojects', 'v1alpha1'),
    ...['server', 'repo-server', 'applicationset-controller', 'notifications-controller', 'redis', 'dex-server'].map(
      (name) => workload('Deployment', namespace, `${release}-${name}`),
    ),
    workload('StatefulSet', namespace, `${release}-application-controller`),
    service(namespace, `${release}-server`, 443),
  ],
}

export const gitopsCharts: readonly ChartTable[] = [flux, argocd]
