/**
 * What the browser keeps for its reader: sets it where there is a new value, and gets it. Storage may be
 * switched off or full: then nothing is kept, and nothing depends on it.
 */
export function stored<T>(
  area: 'localStorage' | 'sessionStorage',
  name: string,
  value: T | null = null,
): T | null {
  const key = 'stacosys-' + name;
  try {
    if (value !== null) window[area][key] = JSON.stringify(value);
    return JSON.parse(window[area][key] as string) as T;
  } catch {
    return value;
  }
}
