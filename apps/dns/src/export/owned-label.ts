const label = /^[a-z2-7]{12}$/;
const zonePattern = /^(?=.{1,240}$)([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/;

/**
 * The label of a full name that is ours: 12 base32 characters directly below the zone. Null for every
 * other name; those are never touched.
 */
export function ownedLabelOf(name: string, zone: string): string | null {
  if (!name.endsWith(`.${zone}`)) return null;
  const own = name.slice(0, -zone.length - 1);
  return isOwnedLabel(own) ? own : null;
}

export function isOwnedLabel(text: string): boolean {
  return label.test(text);
}

/** Whether names below the zone can be encoded. */
export function isEncodableZone(zone: string): boolean {
  return zonePattern.test(zone);
}
