/** As people write it, an IPv6 address in brackets. */
export function addressOf({ ip, port }: { readonly ip: string; readonly port: number }): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}
