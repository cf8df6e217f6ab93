import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parsePhotoHosts } from '../../../src/domain/photos/photo-hosts.ts'
import type { FetchedPhoto } from '../../../src/builder/pictures/fetch-photo.ts'
import { fetchPhoto, isPrivateAddress } from '../../../src/builder/pictures/fetch-photo.ts'
import { LONGEST_TIME } from '../../support/run/values.ts'
import type { PhotoHost } from './photo-host.ts'
import { createPhoto, startPhotoHost } from './photo-host.ts'

let host: PhotoHost
beforeAll(async () => {
  host = await startPhotoHost()
  host.put('/photo.jpg', await createPhoto('#804020'))
})
afterAll(() => host.close())

function fetchFrom(
  address: string,
  { hosts = host.origin, etag = null as string | null } = {},
): Promise<FetchedPhoto | null> {
  const parsed = parsePhotoHosts(hosts)
  if (parsed === null) throw new Error('the hosts are wrong')
  const { signal } = new AbortController()
  return fetchPhoto(address, { hosts: parsed, etag, time: LONGEST_TIME, signal })
}

describe('a photo is fetched', () => {
  it('with the validator of its host, and not a second time if it is unchanged', async () => {
    const fetched = await fetchFrom(`${host.origin}/photo.jpg`)
    expect(fetched?.bytes.length).toBeGreaterThan(1000)
    expect(fetched?.etag).toMatch(/"\d+"/)
    expect(await fetchFrom(`${host.origin}/photo.jpg`, { etag: fetched?.etag ?? null })).toBeNull()
  })

  it('never from a host that is not listed, a port that is not listed, or without https', async () => {
    const hosts = 'photos.example, *.cdn.example'
    const lead = (address: string, reason: string): Promise<void> =>
      expect(fetchFrom(address, { hosts })).rejects.toThrow(reason)
    await lead('https://evil.example/a.jpg', 'is on evil.example, which PHOTO_HOSTS does not name')
    await lead('https://photos.example.evil.example/a.jpg', 'does not name')
    await lead('https://cdn.example/a.jpg', 'does not name')
    await lead('https://photos.example:8443/a.jpg', 'does not name')
    await lead('http://photos.example/a.jpg', 'not served over https')
  })

  it('never from a listed host in a private network', async () => {
    const failing = fetchFrom('https://localhost/a.jpg', { hosts: 'localhost' })
    await expect(failing).rejects.toThrow('its host has a private address')
    for (const hosts of ['169.254.169.254', '*.254', '127.1', '0x7f.1'])
      expect(parsePhotoHosts(hosts)).toBeNull()
  })
})

it.each([
  ['8.8.8.8 2606:4700::1111 2a00:1450:4003::', false],
  ['10.0.0.1 127.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1', true],
  ['0.0.0.0 192.0.0.1 192.0.2.1 198.18.0.1 224.0.0.1 255.255.255.255', true],
  [':: ::1 fe80::1 fc00::1 ff02::1 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808:: 2001::1 2001:db8::1', true],
  ['photos.example 1 0x7f.1', true],
])('the addresses %s are private: %s', (addresses, isPrivate) => {
  for (const address of addresses.split(' ')) expect(isPrivateAddress(address), address).toBe(isPrivate)
})
