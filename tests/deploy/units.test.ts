/**
 * The units under deploy/: systemd understands them, and whatever they say about the hub (commands,
 * keys, folders, times) is true.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../packages/server/src/config/config.ts'
import { makeCertificate } from '../certificates.ts'
import { isThere } from '../formats/judge.ts'
import { isKey, read as readFile, root, stopSeconds } from './image.ts'

const read = (name: string): string => readFile(`deploy/${name}`)
/** The last value of each setting. */
const settingsOf = (unit: string): Map<string, string> =>
  new Map(
    [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const),
  )
const environmentOf = (unit: string): string[][] =>
  [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((pair) => pair.split('=')),
  )

const folder = mkdtempSync(join(tmpdir(), 'dragoman-units-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('deploy/dragoman.service and deploy/dragoman-backup.service', () => {
  const [hub, backup] = [read('dragoman.service'), read('dragoman-backup.service')]

  it.each([
    ['serve', hub],
    ['backup', backup],
  ])('run dragoman %s with keys that the hub knows, on settings that it accepts', (verb, unit) => {
    const settings = settingsOf(unit)
    const [, program = '', asked] = settings.get('ExecStart')?.split(' ') ?? []
    expect(statSync(join(root, program.replace('/opt/dragoman/', ''))).isFile()).toBe(true)
    expect(asked).toBe(verb)
    expect(environmentOf(unit).filter(([name = '']) => !isKey(name))).toEqual([])
    expect(unit).toContain('DRAGOMAN_CONFIG=/etc/dragoman/hub.yml')
    const config = readConfig({ DRAGOMAN_CONFIG: join(root, 'deploy/hub.yml') })
    expect([config.profile, config.data]).toEqual([
      'production',
      `/var/lib/${settings.get('StateDirectory')}`,
    ])
    const commented = [...read('hub.yml').matchAll(/^# (DRAGOMAN_\w+):/gm)].map(
      ([, name = '']) => name,
    )
    expect(commented.length).toBeGreaterThan(2)
    expect(commented.filter((name) => !isKey(name))).toEqual([])
  })

  it('let the hub stop in peace', () => {
    expect(Number(settingsOf(hub).get('TimeoutStopSec'))).toBeGreaterThan(stopSeconds)
  })

  it('back up every night into a folder that the unit may write, and a finding tells when it did not', () => {
    const to = /backup --to (\S+) --keep \d+$/m.exec(settingsOf(backup).get('ExecStart') ?? '')?.[1]
    expect(settingsOf(backup).get('ReadWritePaths')).toBe(to)
    expect(settingsOf(backup).get('RequiresMountsFor')).toBe(to)
    expect(settingsOf(read('dragoman-backup.timer')).get('Persistent')).toBe('yes')
    expect(read('hub.yml')).toMatch(/^DRAGOMAN_BACKUP_EXPECTED: 2d$/m)
    expect(read('README.md')).toContain(`-m 700 ${to}`)
  })

  it('give the backup no right that the hub lacks, but the folder', () => {
    const own = [
      'ReadWritePaths',
      'ExecStart',
      'Type',
      'EnvironmentFile',
      'Nice',
      'IOSchedulingClass',
      'UMask',
    ]
    const same = [...settingsOf(hub)].filter(([name]) =>
      /^(Protect|Restrict|System|Private|Cap|Amb|NoNew)/.test(name),
    )
    expect(same.length).toBeGreaterThan(15)
    for (const [name, value] of same)
      expect([name, settingsOf(backup).get(name)]).toEqual([name, value])
    expect(own.filter((name) => !settingsOf(backup).has(name))).toEqual([])
  })
})

describe('deploy/dragoman-tls.conf', () => {
  it('gives the hub a certificate that systemd read for it, and the port of HTTPS', () => {
    const { certPath, keyPath } = makeCertificate(folder, 'localhost')
    const given = Object.fromEntries(environmentOf(read('dragoman-tls.conf'))) as Record<
      string,
      string
    >
    const credentials = [
      ...read('dragoman-tls.conf').matchAll(/^LoadCredential=([\w.]+):\S+$/gm),
    ].map(([, id]) => id)
    expect([given.DRAGOMAN_TLS_CERT, given.DRAGOMAN_TLS_KEY]).toEqual(
      credentials.map((id) => `%d/${id}`),
    )
    const config = readConfig({
      DRAGOMAN_CONFIG: join(root, 'deploy/hub.yml'),
      ...given,
      DRAGOMAN_TLS_CERT: certPath,
      DRAGOMAN_TLS_KEY: keyPath,
    })
    expect([config.host, config.port, config.tls !== undefined]).toEqual(['::', 443, true])
  })
})

describe('deploy/apertium-apy.service', () => {
  it('lets only this machine reach an engine that listens everywhere', () => {
    const unit = read('apertium-apy.service')
    expect(unit).toMatch(/^IPAddressDeny=any\nIPAddressAllow=localhost$/m)
    expect(unit).toMatch(/^DynamicUser=yes$/m)
  })
})

if (isThere('systemd-analyze'))
  describe('systemd', () => {
    const units = readdirSync(join(root, 'deploy')).filter((name) =>
      /\.(service|timer)$/.test(name),
    )

    /**
     * What it says about these files; it also reports what else it misses on this machine, such as
     * the user.
     */
    const verify = (place: string): string[] => {
      const files = units.map((name) => `'${join(place, name)}'`).join(' ')
      const said = execFileSync('sh', [
        '-c',
        `systemd-analyze verify --man=no ${files} 2>&1 || true`,
      ]).toString()
      return said
        .split('\n')
        .filter((line) =>
          /\.(service|timer|conf):\d+|unknown|invalid|ignoring|failed to parse/i.test(line),
        )
        .filter((line) => line.includes(place))
    }
    const placed = (name: string, tls: string): string => {
      const place = join(folder, name)
      mkdirSync(join(place, 'dragoman.service.d'), { recursive: true })
      for (const unit of units) cpSync(join(root, 'deploy', unit), join(place, unit))
      writeFileSync(join(place, 'dragoman.service.d/tls.conf'), tls)
      return place
    }

    it('understands every unit, with the certificate and without', () => {
      expect(units).toHaveLength(4)
      expect(verify(join(root, 'deploy'))).toEqual([])
      expect(verify(placed('tls', read('dragoman-tls.conf')))).toEqual([])
      const wrong = verify(placed('wrong', `${read('dragoman-tls.conf')}LoadCredentials=x:/y\n`))
      expect(wrong).toEqual([expect.stringContaining('LoadCredentials')])
    })

    it.each(['dragoman.service', 'dragoman-backup.service'])(
      'finds little that %s could do to its machine',
      (name) => {
        const path = join(root, 'deploy', name)
        const asked = ['security', '--offline=yes', '--threshold=20', '--no-pager', path]
        expect(execFileSync('systemd-analyze', asked).toString()).toMatch(
          /Overall exposure level for \S+: [01]\.\d/,
        )
      },
    )
  })
