"""A safetensors reader and a Llama forward pass of its own: written from the format's
description and the model's formula alone, in float64 and plain loops."""
import json
import math
import struct

DTYPES = {"F32": ("f", 4), "F64": ("d", 8), "I64": ("q", 8)}


def read(path):
    """(tensors by name as (shape, list of numbers), metadata, offsets in the file)"""
    with open(path, "rb") as file:
        raw = file.read()
    (length,) = struct.unpack_from("<Q", raw)
    header = json.loads(raw[8:8 + length])
    metadata = header.pop("__metadata__")
    tensors, places = {}, {}
    for name, entry in header.items():
        letter, size = DTYPES[entry["dtype"]]
        begin, end = entry["data_offsets"]
        count = math.prod(entry["shape"])
        assert end - begin == count * size, name
        numbers = struct.unpack_from(f"<{count}{letter}", raw, 8 + length + begin)
        tensors[name] = (entry["shape"], numbers)
        places[name] = 8 + length + begin
    return tensors, metadata, places


def product(x, weight):
    """x (n,in) times the transpose of weight ((out,in), numbers)"""
    (rows, cols), numbers = weight
    matrix = [numbers[r * cols:(r + 1) * cols] for r in range(rows)]
    return [[sum(a * b for a, b in zip(row, line)) for line in matrix] for row in x]


def norm(x, gain, eps):
    result = []
    for row in x:
        scale = 1 / math.sqrt(sum(a * a for a in row) / len(row) + eps)
        result.append([a * scale * g for a, g in zip(row, gain[1])])
    return result


def rotate(x, heads, theta):
    """Turn the pairs (i, i + K/2) of every head by position * theta^(-2i/K)."""
    width = len(x[0]) // heads
    half = width // 2
    turned = []
    for position, row in enumerate(x):
        row = list(row)
        for head in range(heads):
            for i in range(half):
                angle = position * theta ** (-2 * i / width)
                one, two = head * width + i, head * width + i + half
                a, b = row[one], row[two]
                row[one] = a * math.cos(angle) - b * math.sin(angle)
                row[two] = b * math.cos(angle) + a * math.sin(angle)
        turned.append(row)
    return turned


def softmax(row):
    top = max(row)
    powers = [math.exp(a - top) for a in row]
    total = sum(powers)
    return [p / total for p in powers]


def attend(q, k, v, heads):
    width = len(q[0]) // heads
    out = [[0.0] * len(q[0]) for _ in q]
    for head in range(heads):
        span = range(head * width, (head + 1) * width)
        for i in range(len(q)):
            scores = [sum(q[i][c] * k[j][c] for c in span) / math.sqrt(width) for j in range(i + 1)]
            for j, share in enumerate(softmax(scores)):
                for c in span:
                    out[i][c] += share * v[j][c]
    return out


def add(x, y):
    return [[a + b for a, b in zip(one, two)] for one, two in zip(x, y)]


def feed_forward(h, part, name):
    gate, up = product(h, part(f"{name}.gate_proj")), product(h, part(f"{name}.up_proj"))
    h = [[g / (1 + math.exp(-g)) * u for g, u in zip(a, b)] for a, b in zip(gate, up)]
    return product(h, part(f"{name}.down_proj"))


def routed(h, part, bias, metadata):
    """The experts that each token chooses by affinity and bias, weighed by affinity alone."""
    chosen, scale = int(metadata["num_experts_per_tok"]), float(metadata["routed_scaling_factor"])
    out = []
    for row, scores in zip(h, product(h, part("mlp.gate"))):
        affinity = [1 / (1 + math.exp(-s)) for s in scores]
        order = sorted(range(len(bias)), key=lambda e: -(affinity[e] + bias[e]))[:chosen]
        whole = sum(affinity[e] for e in order)
        total = [0.0] * len(row)
        for e in order:
            result = feed_forward([row], part, f"mlp.experts.{e}")[0]
            total = [t + scale * affinity[e] / whole * r for t, r in zip(total, result)]
        out.append(total)
    return out


def logits(tensors, metadata, tokens):
    width, heads = int(metadata["hidden_size"]), int(metadata["num_attention_heads"])
    eps, theta = float(metadata["rms_norm_eps"]), float(metadata["rope_theta"])
    table = tensors["model.embed_tokens.weight"][1]
    x = [table[t * width:(t + 1) * width] for t in tokens]
    for layer in range(int(metadata["num_hidden_layers"])):
        def part(name):
            return tensors[f"model.layers.{layer}.{name}.weight"]
        h = norm(x, part("input_layernorm"), eps)
        q = rotate(product(h, part("self_attn.q_proj")), heads, theta)
        k = rotate(product(h, part("self_attn.k_proj")), heads, theta)
        v = product(h, part("self_attn.v_proj"))
        x = add(x, product(attend(q, k, v, heads), part("self_attn.o_proj")))
        h = norm(x, part("post_attention_layernorm"), eps)
        if "n_routed_experts" not in metadata:
            x = add(x, feed_forward(h, part, "mlp"))
            continue
        bias = tensors[f"model.layers.{layer}.mlp.gate.e_score_correction_bias"][1]
        x = add(add(x, feed_forward(h, part, "mlp.shared_experts")),
                routed(h, part, bias, metadata))
    return product(norm(x, tensors["model.norm.weight"], eps), tensors["lm_head.weight"])


def mean_loss(tensors, metadata, text):
    """Nats a byte over windows that start at 0, T, 2T ... and predict T bytes each."""
    length = int(metadata["max_position_embeddings"])
    total, count = 0.0, 0
    for begin in range(0, len(text) - length, length):
        rows = logits(tensors, metadata, text[begin:begin + length])
        for row, target in zip(rows, text[begin + 1:begin + length + 1]):
            total -= math.log(softmax(row)[target])
            count += 1
    return total / count
