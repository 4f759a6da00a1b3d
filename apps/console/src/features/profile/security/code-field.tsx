import { TextInput } from "@mantine/core";
import type { Ref } from "react";
import classes from "./security.module.css";

interface CodeFieldProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (typed: string) => void;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** A one-time code, which phones and password managers can fill in. */
export function CodeField({ label, value, error, onChange, inputRef }: CodeFieldProps) {
  return (
    <TextInput
      {...(inputRef ? { ref: inputRef } : {})}
      className={classes["code"] ?? ""}
      label={label}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      maxLength={12}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
