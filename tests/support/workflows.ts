import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

type Fields = Readonly<Record<string, unknown>>

/** A job of a GitHub workflow or a GitLab pipeline, as far as its safety depends on it. */
export interface PipelineJob {
  readonly name: string
  readonly environment: string | undefined
  /** Only commits of the main branch reach it. */
  readonly isTrusted: boolean
  /** Where it may run: `self-hosted`, a tag of a runner, or a hosted image. */
  readonly runners: readonly string[]
  readonly steps: readonly PipelineStep[]
  readonly text: string
}

export interface PipelineStep {
  readonly uses: string | undefined
  readonly script: string | undefined
  readonly text: string
}

export interface Workflow {
  /** Everything outside of its jobs. */
  readonly head: string
  readonly shell: string | undefined
  readonly jobs: readonly PipelineJob[]
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const listOf = (value: unknown): string[] => [value].flat().flatMap((one) => textOf(one) ?? [])
const nameOf = (environment: unknown) => textOf(environment) ?? textOf(fieldsOf(environment).name)

/** A workflow of GitHub. */
export function readWorkflow(file: string): Workflow {
  const { jobs, ...head } = fieldsOf(parse(readFileSync(file, 'utf8')))
  const isOnlyMain = !Object.keys(fieldsOf(head.on)).includes('pull_request')
  return {
    head: JSON.stringify(head),
    shell: textOf(fieldsOf(fieldsOf(head.defaults).run).shell),
    jobs: Object.entries(fieldsOf(jobs)).map(([name, value]) => {
      const job = fieldsOf(value)
      const steps = [job.steps ?? []].flat().map(fieldsOf)
      return {
        name,
        environment: nameOf(job.environment),
        isTrusted: isOnlyMain || textOf(job.if) === "github.ref == 'refs/heads/main'",
        runners: listOf(job['runs-on']),
        steps: [...(job.uses === undefined ? [] : [stepOf(job)]), ...steps.map(stepOf)],
        text: JSON.stringify({ ...job, steps: [] }),
      }
    }),
  }
}

function stepOf(step: Fields): PipelineStep {
  return { uses: textOf(step.uses), script: textOf(step.run), text: JSON.stringify(step) }
}

const reserved = new Set(['stages', 'default', 'workflow', 'variables', 'include', 'image'])

/** A pipeline of GitLab. Its variables come from the settings of the project, by environment. */
export function readGitlabPipeline(file: string): Workflow {
  const all = fieldsOf(parse(readFileSync(file, 'utf8')))
  const entries = Object.entries(all)
  return {
    head: JSON.stringify(Object.fromEntries(entries.filter(([name]) => reserved.has(name)))),
    shell: undefined,
    jobs: entries
      .filter(([name]) => !reserved.has(name))
      .map(([name, value]) => {
        const job = fieldsOf(value)
        const rules = [job.rules ?? []].flat().map(fieldsOf)
        const script = listOf(job.script).join('\n')
        return {
          name,
          environment: nameOf(job.environment),
          isTrusted:
            rules.length > 0 && rules.every((rule) => textOf(rule.if) === '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'),
          runners: listOf(job.tags),
          steps: [{ uses: undefined, script, text: script }],
          text: JSON.stringify(job),
        }
      }),
  }
}
