import { Trans, useLingui } from "@lingui/react/macro";
import { isMessageName, useMessageFields } from "./message-fields.ts";
import type { Texts } from "./message-texts.ts";

/** What others have written, in the words of the page. */
export function TheirMessages({ theirs }: { theirs: Partial<Texts> }) {
  const { t } = useLingui();
  const fields = useMessageFields();
  return (
    <ul>
      {Object.entries(theirs).map(([name, text = ""]) => (
        <li key={name}>
          {isMessageName(fields, name) ? fields[name].label : t`Offline image`}:{" "}
          <Theirs name={name} text={text} />
        </li>
      ))}
    </ul>
  );
}

function Theirs({ name, text }: { name: string; text: string }) {
  if (name === "offline_image")
    return text === "" ? <Trans>removed</Trans> : <Trans>changed</Trans>;
  return text === "" ? <Trans>default text</Trans> : <q>{text}</q>;
}
