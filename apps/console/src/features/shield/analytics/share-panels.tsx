import { Trans, useLingui } from "@lingui/react/macro";
import type { Analytics } from "@palisade/contract/http/analytics";
import { useMemo } from "react";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./analytics.module.css";
import { ShareList } from "./share-list.tsx";
import { WorldMapLoader } from "./world/world-map-loader.tsx";

/** Joins by version, protocol, country and network, as far as edges know them. */
export function SharePanels({ data }: { readonly data: Analytics }) {
  const { t } = useLingui();
  const { versions, protocols, networks } = data;
  const others = t`others`;
  return (
    <>
      {data.countries === null ? null : <CountriesPanel countries={data.countries} />}
      <Panel title={t`Versions`}>
        <ShareList
          label={t`Versions`}
          nameColumn={t`Version`}
          shares={versions.map(({ version, joins }) => ({
            key: version ?? "",
            name: version ?? others,
            amount: joins,
          }))}
        />
      </Panel>
      <Panel title={t`Protocols`}>
        <ShareList
          label={t`Protocols`}
          nameColumn={t`Protocol`}
          shares={protocols.map(({ protocol, joins }) => ({
            key: String(protocol),
            name: protocol ?? others,
            amount: joins,
          }))}
        />
      </Panel>
      {networks === null ? null : (
        <Panel title={t`Networks`}>
          <ShareList
            label={t`Networks`}
            nameColumn={t`Network`}
            shares={networks.map(({ asn, name, joins }) => ({
              key: String(asn),
              name:
                asn === null ? (
                  <Trans>others and unknown</Trans>
                ) : (
                  <>
                    {name ?? ""} <span className={classes["asn"]}>AS{asn}</span>
                  </>
                ),
              amount: joins,
            }))}
          />
        </Panel>
      )}
    </>
  );
}

function CountriesPanel({
  countries,
}: {
  readonly countries: NonNullable<Analytics["countries"]>;
}) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const names = useMemo(() => new Intl.DisplayNames(locale, { type: "region" }), [locale]);
  const nameOf = (code: string) => {
    // Databases know codes that are none of ISO 3166, for which this throws.
    try {
      return names.of(code) ?? code;
    } catch {
      return code;
    }
  };
  const shares = countries.map(({ country, joins }) => ({
    key: country ?? "",
    name: country === null ? t`others and unknown` : nameOf(country),
    amount: joins,
  }));
  const joins = new Map(countries.map(({ country, joins: amount }) => [country ?? "", amount]));
  return (
    <Panel
      title={t`Countries`}
      note={<Trans>The smallest countries are only in the table.</Trans>}
      className={classes["wide"]}
    >
      <div className={classes["countries"]}>
        <WorldMapLoader joins={joins} nameOf={nameOf} />
        <ShareList label={t`Countries`} nameColumn={t`Country`} shares={shares} />
      </div>
    </Panel>
  );
}
