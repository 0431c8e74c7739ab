/** Adopts the style sheets of `<shop-chat>`. Its build makes each CSS file a module that calls `addSheet`. */

const sheets: CSSStyleSheet[] = [];
/** The trees that adopt every sheet, including those of parts that load later. */
const trees = new Set<Document | ShadowRoot>();

/** Called by generated modules. @public */
export function addSheet(text: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  sheets.push(sheet);
  for (const tree of trees) tree.adoptedStyleSheets.push(sheet);
}

export function adoptSheets(tree: Document | ShadowRoot): void {
  if (trees.has(tree)) return;
  trees.add(tree);
  tree.adoptedStyleSheets.push(...sheets);
}
