/** Edit distance: letters to change, insert, delete or swap with their neighbour. */
export function editDistance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= other.length; column += 1) {
      const change = cell(row - 1, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1);
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swap = isSwap ? cell(row - 2, column - 2) + 1 : change;
      current.push(Math.min(cell(row - 1, column) + 1, cell(row, column - 1) + 1, change, swap));
    }
  }
  return cell(one.length, other.length);
}
