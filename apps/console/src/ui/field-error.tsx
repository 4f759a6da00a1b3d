/** The error of a field: read out when it appears, not only when the field is visited. */
export function FieldError({ text }: { text: string }) {
  return <span role="alert">{text}</span>;
}
