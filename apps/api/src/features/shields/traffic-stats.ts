const bitUnits = ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"] as const;
const byteUnits = ["B", "KB", "MB", "GB", "TB", "PB"] as const;

/** `12.3 Mbit/s`; powers of 1000. */
export function formatBandwidth(bitsPerSecond: number): string {
  return format(bitsPerSecond, bitUnits);
}

/** `1.5 GB`; powers of 1000, as traffic is sold. */
export function formatBytes(bytes: number): string {
  return format(bytes, byteUnits);
}

function format(value: number, units: readonly string[]): string {
  let scaled = value;
  let unit = 0;
  // Rounding may reach the next unit: 999.96 is shown as 1.
  while (unit < units.length - 1 && round(scaled) >= 1000) {
    scaled /= 1000;
    unit += 1;
  }
  return `${round(scaled)} ${units[unit] ?? ""}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
