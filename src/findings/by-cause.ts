import type { Finding } from './finding.js'

/** A finding with those that it explains. */
export interface Group {
  readonly finding: Finding
  readonly effects: readonly Finding[]
}

/** Findings that another one explains are listed under it, also through a third. */
export function byCause(findings: readonly Finding[]): Group[] {
  const roots = findings.filter((finding) => causeOf(finding, findings) === undefined)
  return roots.map((finding) => ({
    finding,
    effects: findings.filter((other) => other !== finding && rootOf(other, findings) === finding),
  }))
}

function causeOf({ because }: Finding, findings: readonly Finding[]): Finding | undefined {
  if (because === undefined) return undefined
  return findings.find(({ code, subject }) => code === because.code && subject.name === because.subject)
}

function rootOf(finding: Finding, findings: readonly Finding[]): Finding {
  const passed = new Set<Finding>()
  let root = finding
  for (let cause = causeOf(root, findings); cause !== undefined && !passed.has(cause); ) {
    passed.add(cause)
    root = cause
    cause = causeOf(root, findings)
  }
  return root
}
