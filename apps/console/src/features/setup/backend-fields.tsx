import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ClipboardEvent } from "react";
import { Panel } from "#src/ui/panel.tsx";
import type { SetupForm } from "./setup-form.ts";
import classes from "./setup.module.css";
import { splitAddress } from "./split-address.ts";

export function BackendFields({ contract }: { contract: SetupForm }) {
  const { t } = useLingui();
  const { form, field } = contract;

  // People copy `address:port` as one: both fields are filled.
  function takePort(event: ClipboardEvent) {
    const address = splitAddress(event.clipboardData.getData("text"));
    if (!address) return;
    event.preventDefault();
    form.setFieldValue("real_ip", address.host);
    form.setFieldValue("real_port", address.port);
  }

  const port = field("real_port");
  return (
    <Panel
      prominent
      title={<Trans>Your server</Trans>}
      note={<Trans>Where your game server runs today. Players will never see this address.</Trans>}
    >
      <div className={classes["fields"]}>
        <TextInput
          {...field("server_name")}
          label={t`Server name`}
          placeholder="Skyline Survival"
          autoComplete="off"
        />
        <div className={classes["row"]}>
          <TextInput
            {...field("real_ip")}
            label={t`Server address`}
            placeholder="203.0.113.5"
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: "mono" }}
            onPaste={takePort}
          />
          <TextInput
            {...port}
            label={t`Port`}
            inputMode="numeric"
            autoComplete="off"
            classNames={{ input: "mono" }}
            value={String(form.values.real_port)}
            onChange={({ currentTarget: { value } }) =>
              form.setFieldValue("real_port", /^\d+$/.test(value) ? Number(value) : "")
            }
          />
        </div>
      </div>
    </Panel>
  );
}
