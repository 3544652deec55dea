import { describe, expect, test } from 'vitest';
import { findClientAddress, readAddress, readTrustedProxies } from './trusted-proxy.ts';

const find = (setting: string, forwarded: string | undefined, socket = '10.0.0.1') =>
  findClientAddress(readTrustedProxies(setting), socket, forwarded);

describe("the client's IP address", () => {
  test("is the socket's own address without a trusted proxy", () => {
    expect(find('0', '192.0.2.1')).toBe('10.0.0.1');
    expect(find('1', undefined, '::ffff:10.0.0.1')).toBe('10.0.0.1');
    expect(find('10.0.0.0/8', undefined)).toBe('10.0.0.1');
  });

  test('is found by counting trusted proxies from the end of the list', () => {
    const list = '203.0.113.66, 192.0.2.1, 198.51.100.7';
    expect(find('1', list)).toBe('198.51.100.7');
    expect(find('true', list)).toBe('198.51.100.7');
    expect(find('2', list)).toBe('192.0.2.1');
    expect(find('3', list)).toBe('203.0.113.66');
    expect(find('4', list), 'a request that bypassed the first proxy').toBe('10.0.0.1');
  });

  test('is the last address outside the trusted networks', () => {
    const networks = '10.0.0.0/8, 198.51.100.7, 2001:db8::/32';
    expect(find(networks, '203.0.113.66, 192.0.2.1, 198.51.100.7')).toBe('192.0.2.1');
    expect(find(networks, '192.0.2.1, [2001:db8::5]:443', '::ffff:10.9.9.9')).toBe('192.0.2.1');
    expect(find(networks, '192.0.2.1', '203.0.113.5'), 'a caller that is not a proxy').toBe('203.0.113.5');
    expect(find(networks, '10.0.0.7, 10.0.0.8'), 'only proxies').toBe('10.0.0.7');
    expect(find(networks, '192.0.2.1, unknown'), 'nothing before an unreadable entry').toBe('10.0.0.1');
  });

  test('is recognised with a port, brackets, quotes or spaces', () => {
    for (const [entry, address] of [
      ['192.0.2.1:51234', '192.0.2.1'],
      ['[2001:db8::1]:443', '2001:db8::1'],
      ['"[2001:db8::1]"', '2001:db8::1'],
      [' 2001:db8::1 ', '2001:db8::1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['unknown', null],
      ['192.0.2.1 or so', null],
      ['', null],
    ] as const) {
      expect(readAddress(entry), entry).toBe(address);
    }
    expect(find('1', 'nonsense')).toBe('10.0.0.1');
  });
});

test('refuses invalid TRUST_PROXY settings and states the valid forms', () => {
  for (const setting of [
    'perhaps',
    '10',
    '-1',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/x',
    'localhost',
    '1,',
  ]) {
    expect(() => readTrustedProxies(setting), setting).toThrow('must be a number of proxies from 0 to 9');
  }
});
