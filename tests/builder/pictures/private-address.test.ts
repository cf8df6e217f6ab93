/** The addresses that photos may be fetched from. */
import { describe, expect, it } from 'vitest'
import { isPrivateAddress } from '../../../src/builder/pictures/photos/private-address.ts'

describe('an address is private', () => {
  it.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
    ['a private network', ['10.1.2.3', '172.16.0.1', '172.31.0.1', '192.168.1.1']],
    ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
    ['link local', ['169.254.169.254', 'fe80::1', 'febf::1', 'fe80::1%eth0']],
    ['unique local', ['fc00::1', 'fd00::1', 'fdff:ffff::1']],
    ['site local of old', ['fec0::1']],
    ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1']],
    ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
    [
      'reserved or for documentation',
      ['192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9'],
    ],
    ['broadcast or of the future', ['240.0.0.1', '255.255.255.255']],
    ['IPv4 mapped into IPv6', ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8']],
    ['IPv4 within IPv6, as it was once written', ['::127.0.0.1', '::7f00:1', '::ffff:0:7f00:1']],
    ['NAT64', ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::7f00:1']],
    ['6to4', ['2002:7f00:1::', '2002:808:808::1', '192.88.99.1']],
    ['Teredo', ['2001:0:7f00:1::1']],
    ['IPv6 for documentation', ['2001:db8::1', '3fff::1']],
    ['IPv6 that nobody was given', ['1::1', '100::1', '4000::1', '5f00::1', '8000::1']],
  ])('when it is %s', (_, addresses) => {
    expect(addresses.filter((address) => !isPrivateAddress(address))).toEqual([])
  })

  it('never when it belongs to the public internet', () => {
    const addresses = ['8.8.8.8', '172.32.0.1', '142.250.0.1', '2607:f8b0:4005::1', '2a00:1450:4001::1']
    expect(addresses.filter(isPrivateAddress)).toEqual([])
  })
})
