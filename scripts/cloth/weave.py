# Lays threads on a rendered cloth: cotton its plain weave, cashmere its brushed twill. They follow the folds, since the
# renderer noted where each pixel lies on the cloth. Rendered with the rest they would need ten times the samples.
# python3 weave.py cotton|cashmere LIGHT.png UV.npy OUT.png WIDTH HEIGHT
import subprocess, sys
import numpy as np
kind, light, uv, out, w, h = sys.argv[1], sys.argv[2], np.load(sys.argv[3]), sys.argv[4], int(sys.argv[5]), int(sys.argv[6])
raw = subprocess.run(['convert', light, '-alpha', 'off', '-filter', 'Mitchell', '-resize', f'{w}x{h}!', '-depth', '16', 'rgb:-'], check=True, capture_output=True).stdout
image = np.frombuffer(raw, '<u2').reshape(h, w, 3)/65535.
def bilinear(a, y, x):
    # Beyond its edge the array begins again.
    ny, nx = a.shape[:2]; y0, x0 = np.floor(y).astype(int), np.floor(x).astype(int); fy, fx = (y-y0), (x-x0)
    if a.ndim == 3: fy, fx = fy[..., None], fx[..., None]
    g = lambda j, i: a[j % ny, i % nx]
    return (g(y0, x0)*(1-fx)+g(y0, x0+1)*fx)*(1-fy) + (g(y0+1, x0)*(1-fx)+g(y0+1, x0+1)*fx)*fy
gy, gx = np.meshgrid(np.linspace(0, uv.shape[0]-1.001, h), np.linspace(0, uv.shape[1]-1.001, w), indexing='ij')
u, v = np.moveaxis(bilinear(uv, gy, gx), -1, 0)
def spread(*p):
    # How far apart neighbouring pixels lie on the cloth, in threads: where more than half a thread, it cannot be drawn.
    return np.max([np.hypot(*np.gradient(q)) for q in p], axis=0)
rng = np.random.default_rng(3)
def fibres(along, across, size=1024):
    ky, kx = np.fft.fftfreq(size)[:, None], np.fft.rfftfreq(size)[None, :]
    f = np.fft.irfft2(np.fft.rfft2(rng.standard_normal((size, size)))*np.exp(-((kx*along)**2+(ky*across)**2)*8), (size, size)); return f/f.std()
level = image.mean(-1)
if kind == 'cotton':
    n = 640.; s, t = u*n, v*n
    s = s + .22*bilinear(fibres(6, 60), s/3, t/3); t = t + .22*bilinear(fibres(60, 6), s/3, t/3)
    fade = np.clip(1.25-2.2*spread(s, t), 0, 1)
    weave = np.sin(np.pi*s)*np.sin(np.pi*t) + .35*np.cos(2*np.pi*s) + .35*np.cos(2*np.pi*t)
    slub = bilinear(fibres(.8, 40), 2*s, t) + bilinear(fibres(40, .8), s, 2*t)
    grain = (.036*weave + .016*slub)*fade*np.interp(level, [.2, .75, 1], [1, 1, .45])
if kind == 'cashmere':
    n = 420.; s, t = u*n, v*n; a, b = (s+t)*.72, (s-t)*.72
    a = a + .5*bilinear(fibres(9, 40), b, a)
    fade = np.clip(1.3-2*spread(a), 0, 1)
    rib = np.sin(2*np.pi*a*.5) + .35*np.sin(2*np.pi*(a*.5+b*.5))
    nap = bilinear(fibres(1.3, 5), a*4.6+.5*b, b*4.6) + .6*bilinear(fibres(5, 1.6), b*3.7, a*3.7)
    grain = (.060*rib + .052*nap)*fade*np.interp(level, [0, .2, .6], [.8, 1, .8])
woven = np.clip(image*(1+grain[..., None]), 0, 1)
subprocess.run(['convert', '-size', f'{w}x{h}', '-depth', '16', 'rgb:-', out], input=(woven*65535).astype('<u2').tobytes(), check=True)
