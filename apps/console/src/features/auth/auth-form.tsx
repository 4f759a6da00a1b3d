import { useDocumentTitle } from "@mantine/hooks";
import { useEffect, useRef, type FormEvent, type ReactNode } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import classes from "./auth-form.module.css";

interface AuthFormProps {
  readonly title: string;
  readonly intro: ReactNode;
  readonly submitLabel: string;
  readonly busy: boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** A second, lesser action below the button. */
  readonly secondary?: ReactNode;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

/** The shared form of the auth pages: heading, fields, one button and a link elsewhere. */
export function AuthForm(props: AuthFormProps) {
  const form = useRef<HTMLFormElement>(null);
  // The page is one form, so the first empty field gets the focus.
  useEffect(() => {
    const inputs = [...(form.current?.querySelectorAll("input") ?? [])];
    const editable = inputs.filter(({ readOnly }) => !readOnly);
    (editable.find(({ value }) => value === "") ?? editable[0])?.focus();
  }, []);
  useDocumentTitle(`${props.title} · Palisade`);
  return (
    <form ref={form} className={classes["form"]} onSubmit={props.onSubmit} noValidate>
      <div className={classes["intro"]}>
        <h1>{props.title}</h1>
        <p>{props.intro}</p>
      </div>
      {props.children}
      <ActionButton
        type="submit"
        size="md"
        fullWidth
        loading={props.busy}
        className={classes["submit"]}
      >
        {props.submitLabel}
      </ActionButton>
      {props.secondary}
      <div className={classes["foot"]}>{props.foot}</div>
    </form>
  );
}
