# The table, the light and the camera of the still lifes, and what objects are built from.
import bpy, sys
import numpy as np
from mathutils import Vector
S = bpy.context.scene
bpy.ops.object.select_all(action='SELECT'); bpy.ops.object.delete()
rng = np.random.default_rng(11)
IVORY, SILK, CAMEL, INK, GOLD = (.86, .80, .70), (.74, .60, .40), (.50, .34, .20), (.022, .021, .023), (.62, .44, .19)

def material(name, colour, rough=.6, spec=.3, sheen=0., metal=0., bump=None):
    m = bpy.data.materials.new(name); m.use_nodes = True; n = m.node_tree.nodes; b = n['Principled BSDF']
    b.inputs['Base Color'].default_value = (*colour, 1); b.inputs['Roughness'].default_value = rough
    b.inputs['Specular'].default_value = spec; b.inputs['Sheen'].default_value = sheen; b.inputs['Metallic'].default_value = metal
    if bump:
        scale, strength = bump
        t = n.new('ShaderNodeTexNoise'); t.inputs['Scale'].default_value = scale; t.inputs['Detail'].default_value = 6
        c = n.new('ShaderNodeTexCoord'); p = n.new('ShaderNodeBump'); p.inputs['Strength'].default_value = strength; p.inputs['Distance'].default_value = .01
        l = m.node_tree.links; l.new(c.outputs['Object'], t.inputs['Vector']); l.new(t.outputs['Fac'], p.inputs['Height']); l.new(p.outputs['Normal'], b.inputs['Normal'])
    return m

def painted(name, colours, rough=.95, spec=.08, sheen=.6, bump=(140, .35)):
    """A material that takes its colour from each point: colours hold one for each, as `sheet` has its points."""
    m = material(name, (1, 1, 1), rough, spec, sheen, bump=bump); n = m.node_tree.nodes
    a = n.new('ShaderNodeAttribute'); a.attribute_name = 'colour'; m.node_tree.links.new(a.outputs['Color'], n['Principled BSDF'].inputs['Base Color'])
    paints[m.name] = np.asarray(colours, np.float32).reshape(-1, 3); return m
paints = {}

def mesh(name, verts, faces, mat, smooth=True):
    me = bpy.data.meshes.new(name); v, f = np.asarray(verts, np.float32), np.asarray(faces, np.int32)
    me.vertices.add(len(v)); me.vertices.foreach_set('co', v.ravel()); me.loops.add(f.size); me.loops.foreach_set('vertex_index', f.ravel())
    me.polygons.add(len(f)); me.polygons.foreach_set('loop_start', np.arange(0, f.size, 4, dtype=np.int32)); me.polygons.foreach_set('loop_total', np.full(len(f), 4, np.int32))
    me.polygons.foreach_set('use_smooth', np.full(len(me.polygons), smooth)); me.materials.append(mat); me.update()
    if mat.name in paints:
        c = me.color_attributes.new('colour', 'FLOAT_COLOR', 'POINT'); c.data.foreach_set('color', np.concatenate([paints[mat.name], np.ones((len(v), 1), np.float32)], 1).ravel())
    o = bpy.data.objects.new(name, me); S.collection.objects.link(o); return o

def sheet(name, P, mat, thick=0., wrap=False):
    """A surface through the points P[row, column]; wrap joins its last column to its first."""
    r, c, _ = P.shape; i = np.arange(r*c).reshape(r, c); j = np.concatenate([i, i[:, :1]], 1) if wrap else i
    f = np.stack([j[:-1, :-1], j[:-1, 1:], j[1:, 1:], j[1:, :-1]], -1).reshape(-1, 4)
    o = mesh(name, P.reshape(-1, 3), f, mat)
    if thick:
        s = o.modifiers.new('thick', 'SOLIDIFY'); s.thickness = thick; s.offset = 0
    return o

def lathe(name, profile, mat, at=(0, 0, 0), turn=(0, 0, 0), n=96):
    """Turned on its axis: profile holds radius and height."""
    p = np.array(profile); a = np.linspace(0, 2*np.pi, n, endpoint=False)
    o = sheet(name, np.stack([p[:, :1]*np.cos(a), p[:, :1]*np.sin(a), p[:, 1:]+0*a], -1), mat, wrap=True)
    o.location = at; o.rotation_euler = turn; return o

def box(name, size, at, mat, bevel=.012, turn=0.):
    bpy.ops.mesh.primitive_cube_add(size=1, location=at, rotation=(0, 0, turn)); o = bpy.context.object; o.name = name; o.scale = size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    b = o.modifiers.new('bevel', 'BEVEL'); b.width = bevel; b.segments = 4
    o.data.materials.append(mat); bpy.ops.object.shade_smooth(); o.data.use_auto_smooth = True; return o

def tube(name, points, radius, mat):
    c = bpy.data.curves.new(name, 'CURVE'); c.dimensions = '3D'; c.bevel_depth = radius; c.bevel_resolution = 5; c.use_fill_caps = True
    s = c.splines.new('NURBS'); s.points.add(len(points)-1); s.order_u = 4; s.use_endpoint_u = True; s.resolution_u = 16
    for p, q in zip(s.points, points): p.co = (*q, 1)
    c.materials.append(mat); o = bpy.data.objects.new(name, c); S.collection.objects.link(o); return o

def noise(x, y, f, seed, n=8):
    r = np.random.default_rng(seed); z = np.zeros(np.broadcast(x, y).shape)
    for _ in range(n):
        a, k = r.uniform(0, 6.28), f*r.uniform(.6, 1.5); z += np.sin(k*(x*np.cos(a)+y*np.sin(a))+r.uniform(0, 6.28))
    return z/n

def shoot(objects):
    """Renders one of the objects: blender -b --python FILE -- NAME OUT.png WIDTH HEIGHT SAMPLES."""
    argv = sys.argv[sys.argv.index('--')+1:]
    kind, out, w, h, samples = argv[0], argv[1], int(argv[2]), int(argv[3]), int(argv[4])
    view = {f.__name__: f for f in objects}[kind]()
    # The table runs up into the wall behind it.
    y = np.concatenate([np.linspace(-9, 3, 40), 3+1.5*np.sin(np.linspace(.05, np.pi/2, 30)), np.full(20, 4.5)]); z = np.concatenate([np.zeros(40), 1.5-1.5*np.cos(np.linspace(.05, np.pi/2, 30)), np.linspace(1.6, 9, 20)])
    if view.get('wall'): y, z = np.array([.62, .62]), np.array([-4., 8.])
    x = np.linspace(-12, 12, 60)[None]
    sheet('table', np.stack([x+0*y[:, None], y[:, None]+0*x, z[:, None]+0*x], -1), material('linen', view.get('ground', (.70, .645, .56)), .85, .15, .2, bump=(90, .05)))
    def area(loc, target, sx, sy, power, colour):
        bpy.ops.object.light_add(type='AREA', location=loc); l = bpy.context.object; l.data.shape = 'RECTANGLE'; l.data.size = sx; l.data.size_y = sy; l.data.energy = power; l.data.color = colour
        l.rotation_euler = (Vector(target)-Vector(loc)).to_track_quat('-Z', 'Y').to_euler()
    aim = view['aim']
    area((-4.2, -1.2, 3.6), aim, 1.3, 1.7, 430, (1, .95, .88))   # window, left
    area((3.4, 1.2, 3.4), aim, .7, 2.6, 80, (1, .97, .93))      # strip, draws edges
    area((3.0, -4.0, 2.6), aim, 4, 4, 40, (.90, .95, 1))        # cool fill
    W = bpy.data.worlds.new('w'); S.world = W; W.use_nodes = True; b = W.node_tree.nodes['Background']; b.inputs[0].default_value = (1, .98, .95, 1); b.inputs[1].default_value = .14
    bpy.ops.object.camera_add(location=view['eye']); cam = bpy.context.object; S.camera = cam
    cam.rotation_euler = (Vector(aim)-cam.location).to_track_quat('-Z', 'Y').to_euler(); cam.data.lens = view['lens']
    cam.data.dof.use_dof = True; cam.data.dof.focus_distance = (Vector(aim)-cam.location).length-.35; cam.data.dof.aperture_fstop = 5
    S.render.engine = 'CYCLES'; S.cycles.samples = samples; S.cycles.use_denoising = False; S.cycles.max_bounces = 5
    S.render.resolution_x, S.render.resolution_y, S.render.resolution_percentage = w, h, 100; S.render.threads_mode = 'FIXED'; S.render.threads = 2
    S.view_settings.view_transform = 'Filmic'; S.view_settings.look = 'Medium High Contrast'; S.view_settings.exposure = .05
    S.cycles.caustics_reflective = False; S.cycles.caustics_refractive = False; S.cycles.blur_glossy = 1.0; S.cycles.sample_clamp_indirect = 1.0
    vl = S.view_layers[0]; vl.use_pass_normal = True; S.use_nodes = True; ct = S.node_tree
    for n in list(ct.nodes): ct.nodes.remove(n)
    rl = ct.nodes.new('CompositorNodeRLayers'); bb = ct.nodes.new('CompositorNodeBilateralblur'); co = ct.nodes.new('CompositorNodeComposite')
    bb.iterations = max(2, round(w/300)); bb.sigma_color = .05; bb.sigma_space = 5
    ct.links.new(rl.outputs['Image'], bb.inputs[0]); ct.links.new(rl.outputs['Normal'], bb.inputs[1]); ct.links.new(bb.outputs[0], co.inputs[0])
    S.render.filepath = out; bpy.ops.render.render(write_still=True)
