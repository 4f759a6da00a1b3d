interface TextPart {
  readonly text: string;
  readonly isLink: boolean;
}

/** A dot or bracket at the end belongs to the sentence. */
const address = /(https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}])/;

/** Parts of a message; joined, they are the message. */
export function splitLinks(text: string): TextPart[] {
  return text
    .split(address)
    .map((part, index) => ({ text: part, isLink: index % 2 === 1 }))
    .filter((part) => part.text !== "");
}
