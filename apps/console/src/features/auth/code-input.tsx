import { TextInput, type TextInputProps } from "@mantine/core";
import type { ChangeEvent } from "react";
import classes from "./auth-form.module.css";

interface CodeInputProps extends Omit<TextInputProps, "onChange"> {
  readonly onChange?: (value: string) => void;
}

/** A field for a code. Spaces and hyphens of a pasted code are removed. */
export function CodeInput({ onChange, ...props }: CodeInputProps) {
  return (
    <TextInput
      {...props}
      onChange={(event: ChangeEvent<HTMLInputElement>) =>
        onChange?.(event.currentTarget.value.replace(/[\s-]/g, ""))
      }
      autoComplete="one-time-code"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      classNames={{ input: classes["code"] ?? "" }}
    />
  );
}
