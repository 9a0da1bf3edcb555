import { describe, expect, it } from 'vitest'
import { openJudge } from './addresses.ts'

const closed = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::FFFF:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:7f00:1::',
  '2002:7f00:1::',
  '2002:808:808::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%lo',
  'fec0::1',
  'ff02::1',
  'nonsense',
]
const open = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '126.1.1.1',
  '128.0.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '198.17.0.1',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
]

describe('addresses that the hub may call', () => {
  const judge = openJudge([])
  it.each(closed)('%s is closed', (address) => expect(judge(address)).toEqual(expect.any(String)))
  it.each(open)('%s is open', (address) => expect(judge(address)).toBeUndefined())

  it('are also those that the operator allows, and only those', () => {
    const own = openJudge(['127.0.0.0/8', '::1/128', '10.1.0.0/16', 'fd00::/8'])
    for (const address of ['127.0.0.1', '::1', '10.1.2.3', '::ffff:10.1.2.3', 'fd12::1'])
      expect(own(address)).toBeUndefined()
    for (const address of [
      '10.2.0.1',
      '169.254.169.254',
      '::127.0.0.1',
      '64:ff9b::127.0.0.1',
      '0.0.0.0',
      'fe80::1',
    ])
      expect(own(address)).toEqual(expect.any(String))
  })
})
