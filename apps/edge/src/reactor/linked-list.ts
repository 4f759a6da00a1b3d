/** A member of a ring, linked to its neighbours; they are undefined while it is in none. */
export interface Linked<Self> {
  previous: Self | undefined;
  next: Self | undefined;
}

/** @returns the head, as an empty ring */
export function asList<Place extends Linked<Place>>(head: Place): Place {
  head.previous = head.next = head;
  return head;
}

/** As the last. */
export function link<Place extends Linked<Place>>(place: Place, ring: Place): void {
  place.previous = ring.previous;
  place.next = ring;
  if (ring.previous !== undefined) ring.previous.next = place;
  ring.previous = place;
}

/** False if it was not linked. */
export function unlink<Place extends Linked<Place>>(place: Place): boolean {
  const { previous, next } = place;
  if (previous === undefined || next === undefined) return false;
  previous.next = next;
  next.previous = previous;
  place.previous = place.next = undefined;
  return true;
}
