import { Textarea, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { messageCharactersMax, type MessageName } from "@palisade/contract/http/server-messages";
import classes from "./customization.module.css";
import { useLacksDiscord } from "../operator.queries.tsx";
import { useMessageFields } from "./message-fields.ts";

const placeholder = "{discord}";

interface MessageInputProps {
  readonly name: MessageName;
  readonly field: { readonly value?: string; readonly error?: string | undefined };
  /** Shown to players while the field is empty. */
  readonly defaultText: string;
  readonly disabled: boolean;
  readonly onFocus: () => void;
}

export function MessageInput({ name, field, defaultText, disabled, onFocus }: MessageInputProps) {
  const { t } = useLingui();
  const { label, description, multiline } = useMessageFields()[name];
  const Input = multiline ? Textarea : TextInput;
  const lacksDiscord = useLacksDiscord() && (field.value ?? "").includes(placeholder);
  const used = (field.value ?? "").length;
  return (
    <div className={classes["message"]}>
      <Input
        {...field}
        name={name}
        label={label}
        description={description}
        placeholder={defaultText}
        disabled={disabled}
        autoComplete="off"
        classNames={{ input: classes["input"] ?? "" }}
        onFocus={onFocus}
        {...(multiline ? { rows: 3 } : {})}
      />
      {lacksDiscord ? (
        <p className={classes["hint"]} role="status">
          <Trans>
            No Discord invitation is set up: players see nothing in place of {placeholder}.
          </Trans>
        </p>
      ) : null}
      <span
        className={classes["counter"]}
        data-over={used > messageCharactersMax || undefined}
        title={t`Characters`}
      >
        {used}/{messageCharactersMax}
      </span>
    </div>
  );
}
