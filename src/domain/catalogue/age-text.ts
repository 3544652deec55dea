/** "8 to 12", "8", "8 and over" or "12 and under"; null for everyone. */
export function describeAges({
  minAge,
  maxAge,
}: {
  minAge: number | null;
  maxAge: number | null;
}): string | null {
  if (minAge !== null && maxAge !== null) return minAge === maxAge ? `${minAge}` : `${minAge} to ${maxAge}`;
  if (minAge !== null) return `${minAge} and over`;
  return maxAge === null ? null : `${maxAge} and under`;
}
