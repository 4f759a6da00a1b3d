import { NativeSelect, TextInput } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { FieldError } from "#src/ui/field-error.tsx";
import { bedrockProxyLabels } from "./labels.ts";

interface BedrockFieldsProps {
  readonly field: (name: "bedrock_port" | "bedrock_proxy") => {
    readonly error: string | undefined;
  };
}

/** The UDP port on which a server takes players of Bedrock, and its PROXY protocol. */
export function BedrockFields({ field }: BedrockFieldsProps) {
  const { t, i18n } = useLingui();
  const port = field("bedrock_port");
  return (
    <>
      <TextInput
        {...port}
        error={port.error === undefined ? undefined : <FieldError text={port.error} />}
        label={t`Bedrock port (UDP)`}
        description={t`The port of Geyser on this server. Empty: players of Bedrock are not sent here.`}
        inputWrapperOrder={["label", "input", "description", "error"]}
        classNames={{ input: "mono" }}
        placeholder="19132"
        inputMode="numeric"
        autoComplete="off"
      />
      <NativeSelect
        {...field("bedrock_proxy")}
        label={t`PROXY protocol for Bedrock`}
        description={t`Tells Geyser the addresses of the players. Turn it on in Geyser as well, or they cannot join.`}
        inputWrapperOrder={["label", "input", "description", "error"]}
        data={Object.entries(bedrockProxyLabels).map(([value, label]) => ({
          value,
          label: i18n._(label),
        }))}
      />
    </>
  );
}
