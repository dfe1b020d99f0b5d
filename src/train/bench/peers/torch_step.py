#!/usr/bin/env python3
"""The training step of lab 01 in PyTorch: what `vialata bench peers` compares ours with.

    torch_step.py CHECKPOINT TOKENS BATCH

CHECKPOINT is a safetensors file of Vialata's. TOKENS holds a batch and then its
targets, int32 each. When all is ready, "ready VERSION" is printed. Then, for each line of standard input, one step is
taken, and its loss and its seconds are printed.

One thread, float32, and PyTorch's own operators; where it has one for attention, that one.
"""
import json
import os
import struct
import sys
import time
from pathlib import Path

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")  # each library reads its own when it is loaded

import torch
import torch.nn.functional as F


def load(path):
    """The weights of a safetensors file, and its metadata: a header's length, the header, the bytes it describes."""
    data = path.read_bytes()
    length, = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    tensors = {}
    for name, entry in header.items():
        if not name.startswith(("model.", "lm_head.")):
            continue
        begin, end = entry["data_offsets"]
        whole = torch.frombuffer(bytearray(data[8 + length + begin:8 + length + end]), dtype=torch.float32)
        tensors[name] = torch.nn.Parameter(whole.reshape(entry["shape"]))
    return tensors, header["__metadata__"]


def norm(x, gain, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * gain


def turn(x, cosines, sines):
    """Rotary positions: element i of the first half turns with element i of the second."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cosines - second * sines, second * cosines + first * sines), dim=-1)


class Model:
    def __init__(self, checkpoint):
        self.weights, shape = load(checkpoint)
        self.layers, self.heads = int(shape["num_hidden_layers"]), int(shape["num_attention_heads"])
        self.eps = float(shape["rms_norm_eps"])
        self.width = int(shape["hidden_size"]) // self.heads
        self.sequence = int(shape["max_position_embeddings"])
        half = torch.arange(0, self.width, 2, dtype=torch.float64) / self.width
        angles = torch.outer(torch.arange(self.sequence, dtype=torch.float64), float(shape["rope_theta"]) ** -half)
        self.cosines, self.sines = angles.cos().float(), angles.sin().float()
        self.hidden = torch.full((self.sequence, self.sequence), float("-inf")).triu(1)  # later tokens

    def attend(self, queries, keys, values):
        if hasattr(F, "scaled_dot_product_attention"):
            return F.scaled_dot_product_attention(queries, keys, values, is_causal=True)
        scores = queries @ keys.transpose(-1, -2) * self.width ** -0.5 + self.hidden
        return scores.softmax(-1) @ values

    def layer(self, x, name):
        w = self.weights
        h = norm(x, w[name + "input_layernorm.weight"], self.eps)
        queries, keys, values = (
            F.linear(h, w[f"{name}self_attn.{one}_proj.weight"]).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for one in "qkv")
        h = self.attend(turn(queries, self.cosines, self.sines), turn(keys, self.cosines, self.sines), values)
        x = x + F.linear(h.transpose(1, 2).flatten(2), w[name + "self_attn.o_proj.weight"])
        h = norm(x, w[name + "post_attention_layernorm.weight"], self.eps)
        h = F.silu(F.linear(h, w[name + "mlp.gate_proj.weight"])) * F.linear(h, w[name + "mlp.up_proj.weight"])
        return x + F.linear(h, w[name + "mlp.down_proj.weight"])

    def loss(self, tokens, targets):
        x = F.embedding(tokens, self.weights["model.embed_tokens.weight"])
        for i in range(self.layers):
            x = self.layer(x, f"model.layers.{i}.")
        logits = F.linear(norm(x, self.weights["model.norm.weight"], self.eps), self.weights["lm_head.weight"])
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def optimizer_of(weights):
    """As `vl_learning_step` has it: gains do not decay."""
    groups = [{"params": [w for w in weights if w.dim() > 1], "weight_decay": 0.1},
              {"params": [w for w in weights if w.dim() < 2], "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.95), eps=1e-8)


def main():
    torch.set_num_threads(1)
    checkpoint, batch = Path(sys.argv[1]), int(sys.argv[3])
    model = Model(checkpoint)
    both = torch.frombuffer(bytearray(Path(sys.argv[2]).read_bytes()), dtype=torch.int32).long()
    tokens, targets = both.reshape(2, batch, model.sequence)
    weights = list(model.weights.values())
    optimizer = optimizer_of(weights)
    print("ready", torch.__version__, flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        loss = model.loss(tokens, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        print(loss.item(), time.perf_counter() - begin, flush=True)


if __name__ == "__main__":
    main()
