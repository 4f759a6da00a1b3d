const statement =
  /\bsql(?:<[^`]*?>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/;

/** Repositories, migrations, seeds and what the database itself is made of. */
const home =
  /\.repository\.ts$|\.test\.ts$|\/(?:migrations|seeds|test-support|testing)\/|apps\/api\/src\/platform\/database\//;

/**
 * SQL outside of repositories, one line for each place.
 *
 * @param {{ file: string, text: string }[]} sources
 */
export function strayStatements(sources) {
  return sources
    .filter(({ file }) => /(?:^|\/)apps\/[^/]+\//.test(file) && !home.test(file))
    .flatMap(({ file, text }) =>
      text
        .split("\n")
        .flatMap((line, index) =>
          statement.test(line) ? [`${file}:${index + 1}: SQL outside of a repository`] : [],
        ),
    );
}
