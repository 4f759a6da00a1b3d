import {
  convertCssVariables,
  defaultCssVariablesResolver,
  DEFAULT_THEME,
  mergeMantineTheme,
} from "@mantine/core";
import { theme, tokens } from "./theme.ts";

type Scheme = keyof typeof tokens;

/** CSS of every theme variable. vite.config.ts runs this at build time. */
export function themeStylesheet(): string {
  const base = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  return convertCssVariables({
    variables: base.variables,
    dark: { ...base.dark, ...scheme("dark") },
    light: { ...base.light, ...scheme("light") },
  });
}

/** The tokens alone, for pages without Mantine. */
export function tokensStylesheet(): string {
  return convertCssVariables({ variables: {}, dark: own("dark"), light: own("light") });
}

function own(name: Scheme): Record<string, string> {
  const entries = Object.entries(tokens[name]).map(([token, value]) => [`--${token}`, value]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function scheme(name: Scheme): Record<string, string> {
  return {
    ...own(name),
    "--mantine-color-body": "var(--bg)",
    "--mantine-color-text": "var(--text)",
    "--mantine-color-bright": "var(--text)",
    "--mantine-color-dimmed": "var(--dim)",
    "--mantine-color-anchor": "var(--accent)",
    "--mantine-color-error": "var(--danger)",
    "--mantine-color-placeholder": "var(--dim)",
    "--mantine-color-default": "var(--raised)",
    "--mantine-color-default-hover": "var(--hover)",
    "--mantine-color-default-color": "var(--text)",
    "--mantine-color-default-border": "var(--line)",
    "--mantine-color-disabled": "var(--raised)",
    "--mantine-color-disabled-color": "var(--dim)",
    "--mantine-color-disabled-border": "var(--line)",
    "--mantine-color-accent-filled": "var(--accent)",
    "--mantine-color-accent-filled-hover": "var(--accent-hover)",
    "--mantine-color-danger-filled": "var(--danger)",
  };
}
