import classes from "./ticket.module.css";

/** The first letter of a name. The name stands beside it. */
export function Avatar({ name, isAdmin }: { name: string; isAdmin: boolean }) {
  const [initial = ""] = name;
  return (
    <span className={classes["avatar"]} data-staff={isAdmin || undefined} aria-hidden="true">
      {initial.toUpperCase()}
    </span>
  );
}
