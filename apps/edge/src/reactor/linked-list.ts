/** A member of a circular list, linked to its neighbours; they are undefined while it is in none. */
export interface Linked<Self> {
  previous: Self | undefined;
  next: Self | undefined;
}

/** @returns the head, as an empty circular list */
export function asList<Place extends Linked<Place>>(head: Place): Place {
  head.previous = head.next = head;
  return head;
}

/** As the last. */
export function link<Place extends Linked<Place>>(place: Place, list: Place): void {
  place.previous = list.previous;
  place.next = list;
  if (list.previous !== undefined) list.previous.next = place;
  list.previous = place;
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
