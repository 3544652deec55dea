import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';

test('[AUTH-8] asking who is signed in outside the provider is a mistake that names itself', async () => {
  vi.stubGlobal('location', new URL('http://localhost/'));
  const { useAuth } = await import('./auth-provider.tsx');
  const Stray = () => useAuth().user?.id;
  expect(() => renderToString(<Stray />)).toThrow('useAuth must be used within an AuthProvider');
});
